import { readFileSync } from "node:fs";
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type Everything, startEverything } from "./everything.ts";
import { hostile } from "./hostile.ts";
import { createOfficial } from "./official.ts";
import type { Plan } from "./plan.ts";

type Seen = { method: string; path: string; headers: IncomingMessage["headers"] };

/*
 * The servers that the MCP tests connect to, all real, in a process of their own. Under `/x/<id>/` a test has its own:
 * `official/<kind>` and `hostile/<behaviour>/…`, with what arrived at `/seen/<id>` and the plan of the official ones put to
 * `/plan/<id>`. `/everything/<transport>` starts `@modelcontextprotocol/server-everything` once and answers its address.
 * The first line of output holds the addresses; the end of input ends the process.
 */
const seen = new Map<string, Seen[]>();
const plans = new Map<string, Plan>();
const everything = new Map<string, Promise<Everything>>();
const official = createOfficial((id) => plans.get(id) ?? {});
const routes: Record<
	string,
	(request: IncomingMessage, response: ServerResponse, rest: string[]) => unknown
> = {
	seen: (_, response, [id = ""]) => response.end(JSON.stringify(seen.get(id) ?? [])),
	plan: async (request, response, [id = ""]) => {
		plans.set(id, JSON.parse(await textOf(request)));
		response.end();
	},
	everything: async (_, response, [transport = ""]) => {
		const started = everything.get(transport) ?? startEverything(transport);
		everything.set(transport, started);
		response.end((await started).url);
	},
	".well-known": ({ url = "" }, response) => {
		if (!url.includes("/hostile/oauth/")) return response.writeHead(404).end();
		const resource = `http://peers${url.replace("/.well-known/oauth-protected-resource", "")}`;
		return response.end(JSON.stringify({ resource, authorization_servers: ["https://sign-in.example"] }));
	},
	x: (request, response, [id = "", kind = "", ...rest]) => {
		const { method = "", url: path = "", headers } = request;
		seen.set(id, [...(seen.get(id) ?? []), { method, path, headers }]);
		if (kind === "official")
			return official(request, response, { id, era: rest[0] ?? "", rest: rest.slice(1) });
		return hostile(request, response, rest, (seen.get(id) ?? []).length);
	},
};
const listener: RequestListener = (request, response) => {
	const { pathname } = new URL(request.url ?? "/", "http://peers");
	const [, kind = "", ...rest] = pathname.split("/").map(decodeURIComponent);
	Promise.resolve(routes[kind]?.(request, response, rest)).catch((error) => {
		if (!response.headersSent) response.writeHead(500).end(String(error));
	});
};
const plain = await listen(createServer(listener));
const pem = readFileSync(join(import.meta.dirname, "self-signed.pem"));
const tls = await listen(createTlsServer({ key: pem, cert: pem }, listener));
const addresses = {
	mcpPeers: `http://127.0.0.1:${portOf(plain)}`,
	mcpTlsPeers: `https://127.0.0.1:${portOf(tls)}`,
};
process.stdout.write(`${JSON.stringify(addresses)}\n`);
process.stdin.on("end", async () => {
	for (const started of everything.values()) (await started).stop();
	process.exit();
});
process.stdin.resume();

async function listen<T extends Server>(server: T): Promise<T> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return server;
}

function portOf(server: Server): number {
	return (server.address() as AddressInfo).port;
}

async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}
