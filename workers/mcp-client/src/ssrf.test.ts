import { createPeer } from "@parley/testing/mcp-peers/create-peer";
import { expect, inject, test } from "vitest";
import { attemptConnection } from "./session/attempt.ts";

const PORT = new URL(inject("mcpTlsPeers")).port;
const PUBLIC = "https://mcp.public.example";

/** Loopback addresses in every notation that a URL parser or resolver may accept. */
const LOOPBACK = [
	...["127.0.0.1", "2130706433", "0x7f000001", "017700000001", "0177.0.0.1", "0x7f.1", "127.1", "127.0.1"],
	...["127.255.255.254", "%31%32%37.0.0.1", "１２７.0.0.1", "127。0。0。1", "[::1]", "[0:0:0:0:0:0:0:1]"],
	...["localhost", "localhost.", "LOCALHOST", "mcp.localhost"],
];

/** Other addresses that no request may reach under any setting. */
const PRIVATE = [
	...["0.0.0.0", "0", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"],
	...[
		"[2002:7f00:1::]",
		"[::ffff:0:7f00:1]",
		"10.0.0.1",
		"167772161",
		"0xa000001",
		"172.16.0.1",
		"192.168.1.1",
	],
	...["100.64.0.1", "169.254.169.254", "0xa9fea9fe", "[::ffff:a9fe:a9fe]", "[fd00:ec2::254]", "[fe80::1]"],
	...["[fc00::1]", "[ff02::1]", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.192", "168.63.129.16"],
	...["metadata.google.internal", "metadata.goog", "server.local", "printer.lan", "intranet", "db.svc"],
];

const URLS = [
	...[...LOOPBACK, ...PRIVATE].map((host) => `https://${host}:${PORT}/mcp`),
	`https://${PUBLIC.slice(8)}@127.0.0.1:${PORT}/mcp`,
	`https://user:password@mcp.public.example/mcp`,
	`http://mcp.public.example/mcp`,
	`file:///etc/passwd`,
	`ftp://mcp.public.example/`,
	`https://mcp.public.example:22/mcp`,
	`https:\\\\127.0.0.1:${PORT}\\mcp`,
	`https:127.0.0.1:${PORT}/mcp`,
];

type Route = (url: string) => Response | undefined;

/** Connects through a fake network and returns the requests that went anywhere but to the public server. */
async function attempt(
	url_template: string,
	options: { allowLoopback?: boolean; vault?: string; route?: Route } = {},
) {
	const reached: string[] = [];
	const { allowLoopback = false, vault, route = () => undefined } = options;
	const result = await attemptConnection({
		config: { url_template, transport: "streamable_http", auth: { type: "none" }, headers: [] },
		vault: new Map(vault === undefined ? [] : [["BASE", { value: vault, kind: "variable" }]]),
		...{ prior: undefined, rules: { allowLoopback }, clock: () => new Date() },
		fetch: async (input) => {
			const url = String(input);
			const answer = route(url);
			if (!answer) reached.push(url);
			return answer ?? new Response("reached");
		},
	});
	return { code: result.error?.code, reached: reached.filter((url) => !url.startsWith(`${PUBLIC}/`)) };
}

test.for(URLS)("%s is not reached", async (url) => {
	expect(await attempt(url)).toEqual({ code: "blocked_address", reached: [] });
	// The address is a vault value, as the whole URL and as the host.
	expect(await attempt("{{$BASE}}", { vault: url })).toEqual({ code: "blocked_address", reached: [] });
	const host = url.split("/")[2] ?? "";
	expect(await attempt("https://{{$BASE}}/mcp", { vault: host })).toMatchObject({ reached: [] });
	// A public server redirects to the address, at once and after another hop.
	const to = (location: string) => new Response(null, { status: 307, headers: { location } });
	const route: Route = (asked) => {
		if (asked === `${PUBLIC}/mcp`) return to(`${PUBLIC}/further`);
		return asked === `${PUBLIC}/further` ? to(url) : undefined;
	};
	expect((await attempt(`${PUBLIC}/mcp`, { route })).reached).toEqual([]);
});

test.for(PRIVATE)("the setting for development lets nothing through to %s", async (host) => {
	for (const url of [`http://${host}:${PORT}/mcp`, `https://${host}:${PORT}/mcp`])
		expect(await attempt(url, { allowLoopback: true })).toEqual({ code: "blocked_address", reached: [] });
});

test("a listening loopback server receives no request", async () => {
	const peer = createPeer();
	const { pathname: path } = new URL(peer.official("stateless"));
	for (const host of LOOPBACK) {
		const { error } = await attemptConnection({
			config: {
				url_template: `https://${host}:${PORT}${path}`,
				transport: "sse",
				auth: { type: "none" },
				headers: [],
			},
			...{ vault: new Map(), prior: undefined, rules: {}, clock: () => new Date() },
		});
		expect(error?.code).toBe("blocked_address");
	}
	expect(await peer.seen()).toEqual([]);
});
