import type { CapabilityStatus, ConnectErrorCode, ConnectStage } from "@parley/contracts/agents/mcp-servers";
import { createPeer } from "@parley/testing/mcp-peers/create-peer";
import { describe, expect, inject, test } from "vitest";
import { connect, newOrganisation, putSecret, readServer, registerServer } from "../test/servers.ts";

const SECRET = "s3cr3t-canary+9c2e/71==";
const LIMIT_MS = 15_000;

type Failure = [string, CapabilityStatus, ConnectErrorCode, ConnectStage, (number | null)?];

const FAILURES: Failure[] = [
	["silent", "unavailable", "timeout", "initialize"],
	["drip", "unavailable", "timeout", "initialize"],
	["stalls", "unavailable", "timeout", "list_tools"],
	["status/500", "unavailable", "http_error", "initialize", 500],
	["status/503", "unavailable", "http_error", "initialize", 503],
	["status/401", "unavailable", "unauthorized", "initialize", 401],
	["status/403", "unavailable", "unauthorized", "initialize", 403],
	["status/404", "invalid", "http_error", "initialize", 404],
	["pause/120", "unavailable", "http_error", "initialize", 429],
	["html", "invalid", "protocol_error", "initialize"],
	["text", "invalid", "protocol_error", "initialize"],
	["garbage", "invalid", "protocol_error", "initialize"],
	["foreign", "invalid", "protocol_error", "initialize"],
	["redirect?to=http://169.254.169.254/latest/meta-data", "unavailable", "blocked_address", "connect"],
	["redirect?to=https://10.0.0.1/mcp", "unavailable", "blocked_address", "connect"],
	["loop", "invalid", "http_error", "initialize"],
	["huge", "invalid", "unsupported_contract", "initialize"],
	["hugestream", "invalid", "unsupported_contract", "initialize"],
	["reset", "unavailable", "connect_failed", "connect"],
	["version/1999-01-01", "invalid", "unsupported_contract", "initialize"],
	["noschema", "invalid", "protocol_error", "list_tools"],
	["badschema", "invalid", "unsupported_contract", "list_tools"],
	["lostref", "invalid", "unsupported_contract", "list_tools"],
	["deep", "invalid", "protocol_error", "list_tools"],
	["notools", "invalid", "protocol_error", "list_tools"],
	["error/-32603", "invalid", "protocol_error", "list_tools"],
	["error/-32601", "invalid", "unsupported_contract", "list_tools"],
	["halfway", "unavailable", "connect_failed", "list_tools"],
	["midstream", "unavailable", "connect_failed", "list_tools"],
	["midbody", "unavailable", "connect_failed", "list_tools"],
	["emptystream", "unavailable", "connect_failed", "list_tools"],
	["badstream", "invalid", "protocol_error", "list_tools"],
	["foreverlost", "invalid", "http_error", "list_tools", 404],
	["nothing", "invalid", "protocol_error", "list_tools"],
	["otherid", "invalid", "protocol_error", "list_tools"],
	["pings", "invalid", "unsupported_contract", "list_tools"],
	["resumes", "invalid", "unsupported_contract", "list_tools"],
	["tells", "invalid", "unsupported_contract", "list_tools"],
	["largetool", "invalid", "unsupported_contract", "list_tools"],
	["named/a%00b", "invalid", "unsupported_contract", "list_tools"],
	["named/%E2%80%AEdrawkcab", "invalid", "unsupported_contract", "list_tools"],
	["halfacharacter", "invalid", "unsupported_contract", "list_tools"],
];

/** Answers that are slow to process. They must fail like any other and must not block other requests. */
const EXHAUSTING: Failure[] = [
	["dots", "invalid", "http_error", "initialize", 400],
	["wordyversion", "invalid", "unsupported_contract", "initialize"],
];

test.concurrent.for(FAILURES)(
	"%s: the server is %s, by %s at %s",
	{ timeout: 40_000 },
	async (row, { expect }) => {
		const [behaviour, status, code, stage, httpStatus = null] = row;
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		const server = await registerServer(organisation, peer.hostile(behaviour));
		const result = await connect(organisation, server);
		expect(result.latency_ms).toBeLessThan(LIMIT_MS);
		expect(result.error, JSON.stringify(result)).toMatchObject({ code, stage, http_status: httpStatus });
		expect(result.error?.message).toMatch(/\. [A-Z].*\.$/);
		expect(result.status).toBe("failed");
		expect(result.events[0]).toMatchObject({ direction: "sent" });
		expect(await readServer(organisation, server)).toMatchObject({
			...{ capability_status: status, capability_error: result.error, capability_tool_count: 0 },
			capability_observed_at: null,
		});
	},
);

test.for(EXHAUSTING)("%s: the server is %s at once", async (row) => {
	const [behaviour, status, code, stage, http_status = null] = row;
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.hostile(behaviour));
	const result = await connect(organisation, server);
	expect(result.error).toMatchObject({ code, stage, http_status });
	expect(result.latency_ms).toBeLessThan(5_000);
	expect((await readServer(organisation, server)).capability_status).toBe(status);
});

test("the number of requests to a server that keeps asking is limited", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await Promise.all(
		["pings", "resumes"].map(async (behaviour) =>
			connect(organisation, await registerServer(organisation, peer.hostile(behaviour))),
		),
	);
	expect((await peer.seen()).length).toBeLessThan(600);
});

const STREAM_FAILURES: Failure[] = [
	["silent", "unavailable", "timeout", "connect"],
	["noendpoint", "invalid", "protocol_error", "connect"],
	["mute", "unavailable", "timeout", "initialize"],
	["elsewhere", "invalid", "protocol_error", "connect"],
	["nowhere", "invalid", "protocol_error", "connect"],
	["endsatonce", "unavailable", "connect_failed", "connect"],
	["page", "invalid", "protocol_error", "connect"],
	["status/401", "unavailable", "unauthorized", "connect", 401],
	["status/404", "invalid", "http_error", "connect", 404],
	["status/503", "unavailable", "http_error", "connect", 503],
	["refuses/500", "unavailable", "http_error", "initialize", 500],
	["refuses/403", "unavailable", "unauthorized", "initialize", 403],
	["breaks", "unavailable", "connect_failed", "initialize"],
	["redirect?to=http://169.254.169.254/latest", "unavailable", "blocked_address", "connect"],
	["reset", "unavailable", "connect_failed", "connect"],
];

test.concurrent.for(STREAM_FAILURES)(
	"over sse, %s: the server is %s, by %s at %s",
	{ timeout: 40_000 },
	async (row, { expect }) => {
		const [behaviour, status, code, stage, httpStatus = null] = row;
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		const server = await registerServer(organisation, peer.hostile(behaviour), { transport: "sse" });
		const result = await connect(organisation, server);
		expect(result.latency_ms).toBeLessThan(LIMIT_MS);
		expect(result.error, JSON.stringify(result)).toMatchObject({ code, stage, http_status: httpStatus });
		expect((await readServer(organisation, server)).capability_status).toBe(status);
	},
);

test.for([
	[
		"a refused connection",
		"http://127.0.0.1:1024/mcp",
		"connect_failed",
		"connect",
		/refused the connection/,
	],
	[
		"a self-signed certificate",
		`${inject("mcpTlsPeers")}/mcp`,
		"tls_failed",
		"connect",
		/TLS handshake.* certificate/,
	],
	[
		"a port without TLS",
		`${inject("mcpPeers").replace("http:", "https:")}/mcp`,
		"tls_failed",
		"connect",
		/TLS/,
	],
	[
		"an unknown name",
		"https://no-such-host.invalid/mcp",
		"dns_failed",
		"resolve",
		/host name could not be resolved/,
	],
] as const)("%s is reported as what it is", async ([, url, code, stage, said]) => {
	const organisation = await newOrganisation();
	const server = await registerServer(organisation, url);
	const { error } = await connect(organisation, server);
	expect(error).toMatchObject({ code, stage });
	expect(error?.message).toMatch(said);
	expect((await readServer(organisation, server)).capability_status).toBe("unavailable");
});

describe("a server that requires a sign-in with OAuth", () => {
	const failureOf = async (behaviour: string, own = {}) => {
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		await putSecret(organisation, "TOKEN", SECRET);
		const server = await registerServer(organisation, peer.hostile(behaviour), own);
		const { error, events } = await connect(organisation, server);
		expect((await readServer(organisation, server)).capability_status).toBe("unavailable");
		return { error, events, seen: await peer.seen() };
	};

	test.for([
		["says so in its challenge", "oauth/challenge"],
		["says so only in its metadata", "oauth/metadata"],
	])("%s: the message names OAuth, where to sign in, and what to do now", async ([, behaviour]) => {
		const { error } = await failureOf(behaviour ?? "");
		expect(error).toMatchObject({ code: "unauthorized", http_status: 401, retryable: false });
		expect(error?.message).toMatch(
			/^The server requires a sign-in with OAuth at https:\/\/sign-in\.example\. /,
		);
		expect(error?.message).toMatch(/access token .* secret .* auth/);
	});

	test("refuses a token: the message says to rotate the secret that auth names", async () => {
		const { error } = await failureOf("oauth/challenge", { auth: { type: "bearer", secret_name: "TOKEN" } });
		expect(error?.message).toMatch(/^The server refused the credentials with HTTP 401 \(invalid_token\)/);
		expect(error?.message).toMatch(/OAuth at https:\/\/sign-in\.example\. .*rotate the secret TOKEN/);
	});

	test("names a private address for its metadata: Parley sends no request to it", async () => {
		const { error, events } = await failureOf("oauth/private");
		expect(error?.message).toMatch(/^The server requires a sign-in with OAuth\. /);
		expect(JSON.stringify(events)).not.toContain("169.254.169.254");
	});

	test("lacks a scope: the message names the scope", async () => {
		const { error } = await failureOf("oauth/scope", { auth: { type: "bearer", secret_name: "TOKEN" } });
		expect(error).toMatchObject({ code: "unauthorized", http_status: 403 });
		expect(error?.message).toMatch(/lacks the scope tools:list\. .*rotate the secret TOKEN/);
	});

	test("receives no credentials with the request for its metadata", async () => {
		const { events } = await failureOf("oauth/metadata", { auth: { type: "bearer", secret_name: "TOKEN" } });
		const asked = events.filter(({ summary }) => summary.includes("/.well-known/oauth-protected-resource"));
		expect(asked).toHaveLength(1);
		expect(asked[0]?.summary).not.toContain("authorization");
	});
});

test("a refusal that does not mention OAuth is reported as refused credentials", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const { error } = await connect(
		organisation,
		await registerServer(organisation, peer.hostile("status/401")),
	);
	expect(error?.message).toMatch(/^The server refused the credentials with HTTP 401: not now\. Check auth/);
});

test.concurrent.for([
	["endless", 64, 64],
	["samecursor", 1, 2],
	["many/10000", 1024, 1],
] as const)(
	"%s: the list is truncated at %i tools of %i pages",
	{ timeout: 40_000 },
	async ([behaviour, tools, pages], { expect }) => {
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		const server = await registerServer(organisation, peer.hostile(behaviour));
		const result = await connect(organisation, server);
		expect(result.error).toBeNull();
		expect(result.capabilities).toMatchObject({ truncated: true, pages_fetched: pages });
		expect(result.capabilities.tools).toHaveLength(tools);
		expect(await readServer(organisation, server)).toMatchObject({
			...{ capability_status: "healthy", capability_tool_count: tools, capabilities: result.capabilities },
		});
	},
);

test.for([
	["html", "content of type text/html, which"],
	["status/204", "content of no type, which"],
] as const)("%s: the message names what the server sent", async ([behaviour, said]) => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const { error } = await connect(organisation, await registerServer(organisation, peer.hostile(behaviour)));
	expect(error?.message).toContain(said);
});

test.for([
	["status/404", "streamable_http", "speak sse."],
	["status/405", "sse", "speak streamable_http now."],
	["noendpoint", "sse", "names no endpoint within 5 seconds. Check that transport"],
] as const)("%s over %s: the message points at the transport", async ([behaviour, transport, said]) => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const { error, latency_ms } = await connect(
		organisation,
		await registerServer(organisation, peer.hostile(behaviour), { transport }),
	);
	expect(error?.message).toContain(said);
	expect(latency_ms).toBeLessThan(7_000);
});

test("the events call the refused first request of a server with sessions usual", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [] });
	for (const url of [peer.official("session"), peer.hostile("samecursor")]) {
		const { events } = await connect(organisation, await registerServer(organisation, url));
		const received = events.filter(({ direction }) => direction === "received");
		const noted = received.filter(({ summary }) => summary.includes("(usual for a server of an older"));
		expect(noted.map(({ method }) => method)).toEqual(["server/discover"]);
	}
});

test("the message for a closed loopback port does not mention the internet", async () => {
	const organisation = await newOrganisation();
	const { error } = await connect(
		organisation,
		await registerServer(organisation, "http://127.0.0.1:1024/mcp"),
	);
	expect(error?.message).toContain("reached from where Parley runs.");
});

test("a list that grows too large for an answer or a record is truncated", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.hostile("large"));
	const { capabilities, error } = await connect(organisation, server);
	expect(error).toBeNull();
	expect(capabilities).toMatchObject({ truncated: true, pages_fetched: 1 });
	expect(capabilities.tools.length).toBeGreaterThan(10);
	expect((await readServer(organisation, server)).capabilities).toEqual(capabilities);
});

test("the first of two tools with the same name is kept", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const { capabilities } = await connect(
		organisation,
		await registerServer(organisation, peer.hostile("twice")),
	);
	expect(capabilities.tools.map(({ name }) => name)).toEqual(["one", "two"]);
	expect(capabilities.truncated).toBe(false);
});

test("tools listed before a failure are in the result but not in the record", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	const server = await registerServer(organisation, peer.hostile("halfway"));
	const { capabilities } = await connect(organisation, server);
	expect(capabilities).toMatchObject({ pages_fetched: 1, tools: [{ name: "one" }] });
	expect((await readServer(organisation, server)).capabilities).toEqual({
		tools: [],
		truncated: false,
		pages_fetched: 0,
	});
});

test.for(["", "/error", "/rpc", "/redirect"])(
	"a secret that a server echoes (echo%s) is in no answer",
	async (where) => {
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		await putSecret(organisation, "TOKEN", SECRET);
		const server = await registerServer(organisation, peer.hostile(`echo${where}`), {
			auth: { type: "bearer", secret_name: "TOKEN" },
		});
		const result = await connect(organisation, server);
		const texts = JSON.stringify([result, await readServer(organisation, server)]);
		expect(texts).toContain("[redacted]");
		const hex = Array.from(new TextEncoder().encode(SECRET), (byte) => byte.toString(16)).join("");
		for (const form of [SECRET, encodeURIComponent(SECRET), btoa(SECRET), hex, SECRET.slice(0, 12)])
			expect(texts).not.toContain(form);
		const [request] = await peer.seen();
		expect(request?.headers.authorization).toBe(`Bearer ${SECRET}`);
	},
);

test("tool names that differ only in the secret count as one name", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await putSecret(organisation, "TOKEN", SECRET);
	const named = (name: string) => ({ name, inputSchema: { type: "object" as const } });
	await peer.plan({
		tools: [named(`a_${SECRET}`), named("a_[redacted]"), named(`a_${encodeURIComponent(SECRET)}`)],
	});
	const server = await registerServer(organisation, peer.official("stateless"), {
		auth: { type: "bearer", secret_name: "TOKEN" },
	});
	const { capabilities, changes } = await connect(organisation, server);
	expect(capabilities.tools.map(({ name }) => name)).toEqual(["a_[redacted]"]);
	expect(changes.added).toEqual(["a_[redacted]"]);
});

test.for([
	["{{$AT}}", "/official/stateless?signature=Q0Rs9TuVwX", ["Q0Rs9TuVwX"]],
	["{{$AT}}/official/stateless", "", []],
] as const)("an address that is a secret (%s, …%s) is in no answer", async ([template, tail, parts]) => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [] });
	const base = peer
		.official("stateless")
		.replace("/official/stateless", "")
		.replace("127.0.0.1", "LocalHost");
	await putSecret(organisation, "AT", `${base}${tail}`);
	const server = await registerServer(organisation, template);
	const result = await connect(organisation, server);
	expect(result.error, JSON.stringify(result)).toBeNull();
	const texts = JSON.stringify([result, await readServer(organisation, server)]);
	expect(texts).toContain("[redacted]");
	for (const part of [peer.id, "localhost", ...parts]) expect(texts).not.toContain(part);
});

test("a secret in a host is not shown in lower case either", async () => {
	const organisation = await newOrganisation();
	await putSecret(organisation, "TENANT", "SeCrEt-Tenant");
	const server = await registerServer(organisation, "http://{{$TENANT}}.localhost:1024/mcp");
	const result = await connect(organisation, server);
	expect(result.events[0]?.summary).toContain("http://[redacted].localhost:1024/mcp");
	expect(JSON.stringify(result)).not.toMatch(/secret-tenant/i);
});

test.for(["object", "Object"])(
	"a variable with the value %s, which every schema contains, does not change schemas",
	async (value) => {
		const [organisation, peer] = [await newOrganisation(), createPeer()];
		await putSecret(organisation, "KIND", value, "variable");
		await peer.plan({ tools: [{ name: "a", inputSchema: { type: "object" } }] });
		const server = await registerServer(organisation, peer.official("stateless"), {
			headers: [{ name: "X-Kind", value: "{{$KIND}}" }],
		});
		const { capabilities, error } = await connect(organisation, server);
		expect(error).toBeNull();
		expect(capabilities.tools[0]?.input_schema).toEqual({ type: "object" });
	},
);

test("a session that was lost is reopened once", async () => {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [{ name: "a", inputSchema: { type: "object" } }], losesFirstSession: true });
	const result = await connect(organisation, await registerServer(organisation, peer.official("session")));
	expect(result.error, JSON.stringify(result)).toBeNull();
	expect(result.capabilities.tools).toHaveLength(1);
	expect(
		result.events.filter(({ direction, method }) => direction === "sent" && method === "initialize"),
	).toHaveLength(2);
});

test("a redirect to another host carries no credentials", async () => {
	const [organisation, peer, other] = [await newOrganisation(), createPeer(), createPeer()];
	await putSecret(organisation, "TOKEN", SECRET);
	await other.plan({ tools: [] });
	const elsewhere = other.official("stateless").replace("127.0.0.1", "localhost");
	const server = await registerServer(organisation, peer.hostile(`redirect?to=${elsewhere}`), {
		auth: { type: "header", header_name: "X-Secret", secret_name: "TOKEN" },
	});
	const { error, events } = await connect(organisation, server);
	expect(error).toBeNull();
	const sent = events.filter(({ direction }) => direction === "sent").map(({ summary }) => summary);
	expect(sent[0]).toContain("x-secret");
	expect(sent[1]).toContain("(redirected) with accept");
	expect(sent[1]).not.toContain("x-secret");
	expect((await peer.seen())[0]?.headers["x-secret"]).toBe(SECRET);
	const arrived = await other.seen();
	expect(arrived.length).toBeGreaterThan(0);
	for (const { headers } of arrived) expect(headers["x-secret"]).toBeUndefined();
});
