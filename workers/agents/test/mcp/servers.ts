import { env } from "cloudflare:workers";
import type {
	ConnectResult,
	CreateMcpServer,
	DiscoveredTool,
	McpServer,
} from "@parley/contracts/mcp-servers";
import { olderSchemaHash } from "@parley/mcp-servers/schema-hash";
import { inject } from "vitest";
import type { Client } from "../client.ts";
import type { Plan } from "./official.ts";

export type { Plan };

type Own = Partial<Omit<CreateMcpServer, "url_template">>;

/** A corner of the peers that is this test's own. */
export function createPeer(base = inject("mcpPeers")) {
	const id = crypto.randomUUID();
	return {
		id,
		official: (era: "stateless" | "both" | "session" | "sse") => `${base}/x/${id}/official/${era}`,
		hostile: (behaviour: string) => `${base}/x/${id}/hostile/${behaviour}`,
		plan: async (plan: Plan) => {
			await fetch(`${base}/plan/${id}`, { method: "PUT", body: JSON.stringify(plan) });
		},
		seen: async () => (await (await fetch(`${base}/seen/${id}`)).json()) as Seen[],
	};
}

type Seen = { method: string; path: string; headers: Record<string, string | undefined> };

/** The address of the protocol's reference server. */
export const everythingUrl = async (transport: "streamableHttp" | "sse"): Promise<string> =>
	(await fetch(`${inject("mcpPeers")}/everything/${transport}`)).text();

export async function registerServer(
	client: Client,
	url_template: string,
	own: Own = {},
): Promise<McpServer> {
	const answer = await client.call<McpServer>("POST", "/v1/agents/mcp-servers", {
		...{ name: `server-${crypto.randomUUID()}`, url_template },
		...own,
	});
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body;
}

export async function connect(client: Client, { id }: McpServer): Promise<ConnectResult> {
	const { status, body } = await client.call<ConnectResult>("POST", `/v1/agents/mcp-servers/${id}/connect`);
	if (status !== 200) throw new Error(JSON.stringify(body));
	return body;
}

export const readServer = async (client: Client, { id }: McpServer): Promise<McpServer> =>
	(await client.call<McpServer>("GET", `/v1/agents/mcp-servers/${id}`)).body;

declare module "vitest" {
	interface ProvidedContext {
		/** Where `peers.ts` listens, plain and with a certificate that nobody has signed. */
		mcpPeers: string;
		mcpTlsPeers: string;
	}
}

/** An agent's attachment of a tool as it was discovered. */
export const attach = ({ id }: { id: string }, { name, schema_hash }: DiscoveredTool) => ({
	...{ attachment_id: crypto.randomUUID(), server_id: id },
	...{ tool_name: name, observed_schema_hash: schema_hash },
});

/** Makes a server's stored tool list one of before title and annotations were kept, with hashes by the older rule. */
export async function makeOlder({ id }: McpServer, tools: readonly DiscoveredTool[]): Promise<void> {
	const older = tools.map(async ({ title, annotations, ...tool }) => ({
		...tool,
		schema_hash: await olderSchemaHash({ title, annotations, ...tool }),
	}));
	const stored = await Promise.all(older);
	const hashes = Object.fromEntries(stored.map(({ name, schema_hash }) => [name, schema_hash]));
	await env.DB.prepare(
		"update mcp_catalogs set tools = ?, hashes = ?, older_hashes = null where server_id = ?",
	)
		.bind(JSON.stringify(stored), JSON.stringify(hashes), id)
		.run();
}
