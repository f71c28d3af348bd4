import type { IncomingMessage, ServerResponse } from "node:http";

type Json = Record<string, unknown>;
type Message = { id?: unknown; method?: string; params?: Json };
type Occasion = {
	request: IncomingMessage;
	response: ServerResponse;
	argument: string;
	message: Message;
	count: number;
};

/**
 * Servers that misbehave, each in one way: `/hostile/<behaviour>/<argument>`. Those in `LISTS` speak the session era well
 * until the tools are asked for.
 */
export async function hostile(
	request: IncomingMessage,
	response: ServerResponse,
	[behaviour = "", argument = ""]: string[],
	count: number,
): Promise<void> {
	const occasion = { request, response, argument, message: await messageOf(request), count };
	const outright = OUTRIGHT[behaviour] ?? STREAMS[behaviour];
	if (outright) return outright(occasion);
	const list = LISTS[behaviour];
	if (!list) return void response.writeHead(500).end(`no such behaviour: ${behaviour}`);
	if (occasion.message.method === "tools/list") return list(occasion);
	handshake(occasion);
}

const OUTRIGHT: Record<string, (occasion: Occasion) => void> = {
	silent: () => {},
	drip: ({ response }) => {
		response.writeHead(200, { "content-type": "application/json" });
		const timer = setInterval(() => response.write(" "), 100);
		response.on("close", () => clearInterval(timer));
	},
	status: ({ response, argument }) => void response.writeHead(Number(argument)).end("not now"),
	/** Demands a sign-in, in the challenge or, with another argument, only in the metadata of RFC 9728. */
	oauth: ({ request, response, argument }) => {
		const metadata = `http://${request.headers.host}/.well-known/oauth-protected-resource${request.url}`;
		const challenges: Record<string, string> = {
			challenge: `Bearer error="invalid_token", resource_metadata="${metadata}"`,
			private: 'Bearer resource_metadata="http://169.254.169.254/latest/meta-data"',
			scope: 'Bearer error="insufficient_scope", scope="tools:list"',
		};
		const challenge = challenges[argument];
		response.writeHead(argument === "scope" ? 403 : 401, challenge ? { "www-authenticate": challenge } : {});
		response.end();
	},
	pause: ({ response, argument }) =>
		void response.writeHead(429, { "retry-after": argument }).end("slow down"),
	html: ({ response }) =>
		void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>Hello</h1>"),
	text: ({ response }) =>
		void response.writeHead(200, { "content-type": "text/plain" }).end('{"jsonrpc":"2.0"}'),
	garbage: ({ response }) => void response.writeHead(200, { "content-type": "application/json" }).end("{]"),
	foreign: ({ response }) =>
		void response.writeHead(200, { "content-type": "application/json" }).end('{"hello":1}'),
	redirect: ({ request, response }) => {
		const to = new URL(request.url ?? "/", "http://hostile").searchParams.get("to") ?? "";
		response.writeHead(307, { location: to }).end();
	},
	loop: ({ request, response }) => void response.writeHead(307, { location: request.url }).end(),
	huge: ({ response }) => flood(response, "application/json"),
	hugestream: ({ response }) => flood(response, "text/event-stream"),
	/** A sentence that takes a pattern quadratic time. */
	dots: ({ response }) =>
		void response.writeHead(400, { "content-type": "text/plain" }).end(`${".".repeat(4_000_000)}!`),
	wordyversion: ({ response, message }) => {
		const protocolVersion = `${"protocol version is not supported: ".repeat(100_000)}\n`;
		reply(response, message, { protocolVersion, capabilities: {}, serverInfo: INFO });
	},
	reset: ({ response }) => void response.socket?.destroy(),
	/** Its streams end before the answer, to be taken up again at once. */
	resumes: (occasion) => {
		const { request, response, message } = occasion;
		if (request.method === "POST" && message.method !== "tools/list") return handshake(occasion);
		response.writeHead(200, { "content-type": "text/event-stream" }).end("retry: 0\nid: 1\ndata:\n\n");
	},
	version: ({ response, message, argument }) =>
		reply(response, message, { protocolVersion: argument, capabilities: {}, serverInfo: INFO }),
	/** Says back whatever credential it was given, wherever it can. */
	echo: ({ request, response, message, argument }) => {
		const secret = String(request.headers.authorization ?? request.headers["x-secret"] ?? "").replace(
			/^Bearer /,
			"",
		);
		if (argument === "error")
			return void response
				.writeHead(400, { "content-type": "text/plain" })
				.end(`bad token ${secret} ${Buffer.from(secret).toString("base64")}`);
		if (argument === "rpc")
			return reply(response, message, undefined, {
				code: -32_000,
				message: `${"x".repeat(280)}${secret}`,
				data: { secret },
			});
		if (argument === "redirect") return void response.writeHead(307, { location: `/x/${secret}` }).end();
		const named = { name: `server ${secret}`, version: secret, title: encodeURIComponent(secret) };
		if (message.method === "tools/list")
			return reply(response, message, {
				tools: [
					{
						...tool(`tool_${secret}`),
						description: `uses ${secret}`,
						inputSchema: {
							type: "object",
							properties: {
								[secret]: { type: "string", default: secret, enum: [Buffer.from(secret).toString("hex")] },
							},
						},
					},
				],
			});
		handshake({ request, response, message, argument, count: 0 }, named);
	},
};

/** Servers of the transport before streamable HTTP: what the stream says of where to send messages, and what comes of it. */
const STREAMS: Record<string, (occasion: Occasion) => void> = {
	elsewhere: ({ response }) => openStream(response, "https://other.example/messages"),
	nowhere: ({ response }) => openStream(response, "http://["),
	noendpoint: ({ response }) => openStream(response, undefined),
	endsatonce: ({ response }) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(),
	page: ({ response }) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
	refuses: ({ request, response, argument }) => {
		if (request.method === "GET") openStream(response, request.url ?? "");
		else response.writeHead(Number(argument)).end("no");
	},
	breaks: ({ request, response }) => {
		if (request.method !== "GET") return void response.writeHead(202).end();
		openStream(response, request.url ?? "");
		setTimeout(() => response.socket?.destroy(), 300);
	},
	mute: ({ request, response }) => {
		if (request.method === "GET") openStream(response, request.url ?? "");
		else response.writeHead(202).end();
	},
};

const LISTS: Record<string, (occasion: Occasion) => void> = {
	endless: ({ response, message }) => {
		const page = Number(message.params?.cursor ?? 0);
		reply(response, message, { tools: [tool(`tool_${page}`)], nextCursor: String(page + 1) });
	},
	samecursor: ({ response, message }) =>
		reply(response, message, { tools: [tool("one")], nextCursor: "again" }),
	many: ({ response, message, argument }) =>
		reply(response, message, {
			tools: Array.from({ length: Number(argument) }, (_, i) => tool(`tool_${i}`)),
		}),
	twice: ({ response, message }) =>
		reply(response, message, { tools: [tool("one"), tool("one"), tool("two")] }),
	/** Serves pages of the maximum size. */
	large: ({ response, message }) => {
		const page = Number(message.params?.cursor ?? 0);
		const tools = Array.from({ length: 30 }, (_, i) => ({
			...tool(`tool_${page}_${i}`),
			description: "€".repeat(40_000),
		}));
		reply(response, message, { tools, ...(page < 3 && { nextCursor: String(page + 1) }) });
	},
	largetool: ({ response, message }) =>
		reply(response, message, { tools: [{ ...tool("one"), description: "x".repeat(200_000) }] }),
	named: ({ response, message, argument }) => reply(response, message, { tools: [tool(argument)] }),
	halfacharacter: ({ response, message }) =>
		reply(response, message, { tools: [{ ...tool("one"), description: "\ud800" }] }),
	otherid: ({ response, message }) =>
		reply(response, { ...message, id: "nobody's" }, { tools: [tool("one")] }),
	/** Asks instead of answering, as often as it can. */
	pings: ({ response }) =>
		stream(response, (i) => `data: {"jsonrpc":"2.0","id":"p${i}","method":"ping"}\n\n`, 5_000),
	tells: ({ response }) =>
		stream(response, () => 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n', 100_000),
	noschema: ({ response, message }) => reply(response, message, { tools: [{ name: "one" }] }),
	badschema: ({ response, message }) =>
		reply(response, message, {
			tools: [
				tool("good"),
				{ ...tool("bad"), inputSchema: { type: "object", properties: { a: { type: "text" } } } },
			],
		}),
	lostref: ({ response, message }) =>
		reply(response, message, {
			tools: [
				{ ...tool("bad"), inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/gone" } } } },
			],
		}),
	deep: ({ response, message }) => {
		const nested = `${'{"type":"object","properties":{"a":'.repeat(20_000)}{}${"}}".repeat(20_000)}`;
		const { id } = message;
		response.writeHead(200, { "content-type": "application/json" });
		response.end(
			`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"deep","inputSchema":${nested}}]}}`,
		);
	},
	error: ({ response, message, argument }) =>
		reply(response, message, undefined, { code: Number(argument), message: "no list today" }),
	notools: ({ response, message }) => reply(response, message, { tools: "many" }),
	halfway: ({ response, message }) => {
		if (message.params?.cursor !== undefined) return void response.socket?.destroy();
		reply(response, message, { tools: [tool("one")], nextCursor: "next" });
	},
	midstream: ({ response, message }) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write(`event: message\ndata: {"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"resu`);
		setTimeout(() => response.socket?.destroy(), 50);
	},
	midbody: ({ response }) => {
		response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
		response.write('{"jsonrpc":"2.0",');
		setTimeout(() => response.socket?.destroy(), 50);
	},
	emptystream: ({ response }) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(),
	badstream: ({ response }) => {
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.write("event: message\ndata: {]\n\n");
	},
	foreverlost: ({ response }) => void response.writeHead(404).end("no such session"),
	nothing: ({ response }) => void response.writeHead(202).end(),
	stalls: () => {},
};

const INFO = { name: "hostile", version: "0" };
const tool = (name: string) => ({ name, description: "", inputSchema: { type: "object" } });

function handshake({ response, message }: Occasion, serverInfo: object = INFO): void {
	const agreed = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
	if (message.method === "initialize") reply(response, message, agreed);
	else if (message.id === undefined) response.writeHead(202).end();
	else reply(response, message, undefined, { code: -32_601, message: "Method not found" });
}

function reply(response: ServerResponse, { id }: Message, result: unknown, error?: unknown): void {
	response.writeHead(200, { "content-type": "application/json" });
	response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(error === undefined ? { result } : { error }) }));
}

function stream(response: ServerResponse, event: (index: number) => string, count: number): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(Array.from({ length: count }, (_, index) => event(index)).join(""));
}

function openStream(response: ServerResponse, endpoint: string | undefined): void {
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(endpoint === undefined ? ": nothing\n\n" : `event: endpoint\ndata: ${endpoint}\n\n`);
}

/** A gigabyte, as fast as it is taken. */
function flood(response: ServerResponse, type: string): void {
	response.writeHead(200, { "content-type": type });
	const chunk = Buffer.alloc(1024 * 1024, " ");
	let left = 1024;
	const more = (): void => {
		while (left > 0 && !response.destroyed) {
			left--;
			if (!response.write(chunk)) return void response.once("drain", more);
		}
		response.end();
	};
	more();
}

async function messageOf(request: IncomingMessage): Promise<Message> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	try {
		return JSON.parse(Buffer.concat(chunks).toString());
	} catch {
		return {};
	}
}
