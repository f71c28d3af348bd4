// The sign-in through the front door of a whole stack, as browsers and attackers meet it.
import { request } from "node:http";
import { expect, inject, test } from "vitest";

const baseUrl = inject("baseUrl");
const { api_key } = inject("keys");
const { host, port } = new URL(baseUrl);

/** Signs in with a key, and returns how to call the API as the console does. */
async function signIn() {
	const response = await fetch(`${baseUrl}/v1/console/session`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: baseUrl },
		body: JSON.stringify({ key: api_key }),
	});
	const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
	const call = (path: string, init: RequestInit = {}) =>
		fetch(baseUrl + path, {
			...init,
			headers: { cookie, "x-parley-console": "1", origin: baseUrl, ...init.headers },
		});
	return { cookie, call };
}

/** Sends a request with any headers, also those that `fetch` sets by itself. */
const raw = (path: string, headers: Record<string, string>) =>
	new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((done, fail) => {
		const sent = request({ host: "127.0.0.1", port, path, headers }, (response) => {
			let body = "";
			response.setEncoding("utf8");
			response.on("data", (text) => {
				body += text;
			});
			response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, body }));
		});
		sent.once("error", fail);
		sent.end();
	});

test("one session reaches every plane", async () => {
	const { call } = await signIn();
	for (const path of ["/v1/me", "/v1/agents/tools", "/v1/batch/jobs", "/v1/catalog/models"])
		expect([path, (await call(path)).status]).toEqual([path, 200]);
});

test("the page of the console says nothing of the request that it answers", async () => {
	const page = (headers: Record<string, string>) => raw("/jobs", { host, accept: "text/html", ...headers });
	const honest = await page({});
	expect(honest.status).toBe(200);
	const { cookie } = await signIn();
	for (const attack of [
		{ "x-forwarded-host": "evil.example" },
		{ "x-forwarded-proto": "http", "x-original-url": "/evil", "x-rewrite-url": "/evil" },
		{ forwarded: "host=evil.example", origin: "https://evil.example" },
		{ cookie },
	]) {
		const { status, headers, body } = await page(attack as unknown as Record<string, string>);
		expect([attack, status, body]).toEqual([attack, 200, honest.body]);
		expect(headers["set-cookie"]).toBeUndefined();
		for (const name of ["content-security-policy", "cache-control", "etag", "vary"])
			expect([attack, name, headers[name]]).toEqual([attack, name, honest.headers[name]]);
	}
});

test("caches cannot mix up the console's page with the API's answer at the same address", async () => {
	const html = await raw("/", { host, accept: "text/html" });
	const json = await raw("/", { host, accept: "application/json" });
	expect(html.headers).toMatchObject({ "cache-control": "no-cache", vary: "accept" });
	expect(json.headers).toMatchObject({ "cache-control": "no-store" });
	expect(JSON.parse(json.body)).toMatchObject({ name: "Parley" });
	for (const path of ["/v1/console/session", "/v1/console/doors", "/v1/me"])
		expect([path, (await raw(path, { host })).headers["cache-control"]]).toEqual([path, "no-store"]);
});

test("nobody is signed in without a step where npm start did not say so", async () => {
	const visit = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
	const { headers } = await raw("/", { host, ...visit, "sec-fetch-site": "none" });
	expect(headers["set-cookie"]).toBeUndefined();
});

test("a live feed ends within ten seconds of its session, and a client that leaves is gone", {
	timeout: 20_000,
}, async () => {
	const { call } = await signIn();
	const leaving = new AbortController();
	const left = await call("/v1/batch/events", { signal: leaving.signal });
	expect(left.status).toBe(200);
	leaving.abort();
	const feed = await call("/v1/batch/events");
	const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
	let text = "";
	while (!text.includes("event: ready")) text += (await reader?.read())?.value ?? "";
	const endedAt = Date.now();
	expect((await call("/v1/console/session", { method: "DELETE" })).status).toBe(204);
	while (!(await reader?.read())?.done);
	expect(Date.now() - endedAt).toBeLessThan(10_000);
	expect((await call("/v1/batch/events")).status).toBe(401);
});
