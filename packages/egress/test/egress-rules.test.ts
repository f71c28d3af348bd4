import { egressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { afterAll, describe, expect, test } from "vitest";
import { startDohServer } from "./doh-server.ts";
import { fails, policy } from "./exchange.ts";

const doh = await startDohServer();
afterAll(doh.stop);

/** Tells where requests went, and sends those for `/to/<host>` on to that host. */
function network() {
	const reached: string[] = [];
	const fetch: typeof globalThis.fetch = async (input) => {
		const url = new URL(String(input));
		reached.push(url.host);
		const [, to] = url.pathname.split("/to/");
		return to
			? new Response(null, { status: 307, headers: { location: `https://${to}/` } })
			: new Response("reached");
	};
	return { reached, fetch };
}

const settings = (EGRESS_RESOLVER: string, EGRESS_ALLOW_LOOPBACK = "false") => ({
	EGRESS_ALLOW_LOOPBACK,
	EGRESS_OWN_PORTS: "",
	EGRESS_RESOLVER,
});

async function send(url: string, rules = egressRules(settings(doh.endpoint))) {
	const { reached, fetch } = network();
	const answer = guardedFetch({ url }, { ...policy({ fetch }), ...rules });
	return { reached, answer };
}

describe("with a resolver", () => {
	test.each([
		"loopback.example",
		"loopback-v6.example",
		"private.example",
		"PRIVATE.example.",
		"mapped.example",
		"mixed.example",
		"mixed-v6.example",
		"alias.example",
	])("no request leaves for %s, which has a private address", async (host) => {
		const { reached, answer } = await send(`https://${host}/`);
		await fails(answer, "blocked_address");
		expect(reached).toEqual([]);
	});

	test.each([
		["nobody.example", "dns_failed"],
		["failing.example", "resolver_failed"],
		["broken.example", "resolver_failed"],
	] as const)("no request leaves for %s, which cannot be told", async (host, code) => {
		const { reached, answer } = await send(`https://${host}/`);
		await fails(answer, code);
		expect(reached).toEqual([]);
	});

	test("a request leaves for a name with public addresses", async () => {
		const { answer } = await send("https://public.example/");
		expect(await (await answer).text()).toBe("reached");
	});

	test("a redirect is judged like the first URL", async () => {
		const { reached, answer } = await send("https://public.example/to/private.example");
		await fails(answer, "blocked_address");
		expect(reached).toEqual(["public.example"]);
	});

	test("loopback is let through where the other setting says so, and nothing else", async () => {
		const lenient = egressRules(settings(doh.endpoint, "true"));
		expect((await (await send("https://loopback.example/", lenient)).answer).status).toBe(200);
		await fails((await send("https://private.example/", lenient)).answer, "blocked_address");
		await fails((await send("https://mapped.example/", lenient)).answer, "blocked_address");
		await fails((await send("http://loopback.example/", lenient)).answer, "invalid_url");
	});

	test("no request leaves for a name of loopback with a port of the stack's own", async () => {
		const rules = egressRules({ ...settings(doh.endpoint, "true"), EGRESS_OWN_PORTS: "8787,443" });
		for (const url of ["https://loopback.example/", "https://loopback.example:8787/"]) {
			const { reached, answer } = await send(url, rules);
			await fails(answer, "blocked_address");
			expect(reached).toEqual([]);
		}
		expect((await (await send("https://public.example:8787/", rules)).answer).status).toBe(200);
	});

	test("what it said is known to the next request, too", async () => {
		await (await send("https://public.example/")).answer;
		const before = doh.asked.length;
		await (await send("https://public.example/")).answer;
		expect(doh.asked).toHaveLength(before);
	});
});

test("a resolver that is badly set lets nothing through", async () => {
	const { reached, answer } = await send("https://public.example/", egressRules(settings("dns.example")));
	await fails(answer, "resolver_failed");
	expect(reached).toEqual([]);
});

test("names are checked by their text when there is no resolver", async () => {
	const { answer } = await send("https://private.example/", egressRules(settings("")));
	expect((await answer).status).toBe(200);
	await fails((await send("https://private.internal/", egressRules(settings("")))).answer, "blocked_address");
});

test("loopback is let through by the text true alone", () => {
	const texts = ["", "false", "1", "TRUE", " true", "true"];
	expect(texts.map((text) => egressRules(settings("", text)).allowLoopback)).toEqual([
		...[false, false, false, false, false, true],
	]);
});

test("the stack's own ports are read from a list with commas", () => {
	const own = (EGRESS_OWN_PORTS: string) => [
		...(egressRules({ ...settings(""), EGRESS_OWN_PORTS }).ownPorts ?? []),
	];
	expect(own("")).toEqual([]);
	expect(own("8787, 443,,20001")).toEqual([8787, 443, 20001]);
});
