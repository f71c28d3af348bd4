import { env } from "cloudflare:workers";
import type { Agent, AgentVersion } from "@parley/contracts/agents/agents";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { olderSchemaHash } from "@parley/mcp-servers/schema-hash";
import { createPeer } from "@parley/testing/mcp-peers/create-peer";
import { makeOlder } from "@parley/testing/older-catalog";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { attach, connect, registerServer } from "../../../test/mcp-servers.ts";

const argument = (name: string) => ({ type: "object" as const, properties: { [name]: { type: "string" } } });
const tool = (
	name: string,
	inputSchema = argument("q"),
	rest: { annotations?: Record<string, unknown>; description?: string } = {},
) => ({
	...{ name, inputSchema },
	...rest,
});

/** Creates an agent with the tools `a` and `b` of a server, and a function that changes the server's tools. */
async function attached(client: Client) {
	const peer = createPeer();
	await peer.plan({ tools: [tool("a"), tool("b")] });
	const server = await registerServer(client, peer.official("stateless"));
	const { capabilities } = await connect(client, server);
	const mcp_refs = capabilities.tools.map((each) => attach(server, each));
	const answer = await client.call<Agent>("POST", "/v1/agents", { name: peer.id, mcp_refs });
	expect(answer.status, JSON.stringify(answer.body)).toBe(201);
	const offer = async (...tools: ReturnType<typeof tool>[]): Promise<DiscoveredTool[]> => {
		await peer.plan({ tools });
		return (await connect(client, server)).capabilities.tools;
	};
	return { agent: answer.body, server, tools: capabilities.tools, offer };
}

const read = async (client: Client, { id }: Agent) =>
	(await client.call<Agent>("GET", `/v1/agents/${id}`)).body;

const accept = (client: Client, { id, mcp_refs }: Agent, schema_hash: string, index = 0) =>
	client.call<Agent>(
		"POST",
		`/v1/agents/${id}/mcp-attachments/${mcp_refs[index]?.attachment_id}/accept-drift`,
		{
			schema_hash,
		},
	);

test("an attachment with an unchanged tool has not drifted", async () => {
	const client = await createClient();
	const { agent } = await attached(client);
	expect(agent.mcp_refs).toMatchObject([
		{ tool_name: "a", drifted: false, drift: null },
		{ tool_name: "b", drifted: false, drift: null },
	]);
	expect(await read(client, agent)).toEqual(agent);
});

test("an attachment shows the pinned and the current definition of a changed tool, and only the pinned one of a removed tool", async () => {
	const client = await createClient();
	const { agent, tools, offer } = await attached(client);
	const [changed] = await offer(tool("a", argument("query")), tool("c"));
	const { mcp_refs } = await read(client, agent);
	expect(mcp_refs).toMatchObject([
		{ drifted: true, drift: { observed: tools[0], current: changed } },
		{ drifted: true, drift: { observed: tools[1], current: null } },
	]);
	expect(mcp_refs.map((ref) => ref.observed_schema_hash)).toEqual(tools.map((each) => each.schema_hash));

	await offer(tool("a"), tool("b"));
	expect(await read(client, agent)).toEqual(agent);
});

test("the pinned schema is still known after several changes", async () => {
	const client = await createClient();
	const { agent, tools, offer } = await attached(client);
	for (const name of ["x", "y", "z"]) await offer(tool("a", argument(name)), tool("b"));
	const [ref] = (await read(client, agent)).mcp_refs;
	expect(ref?.drift?.observed).toEqual(tools[0]);
	expect(ref?.drift?.current?.input_schema).toEqual(argument("z"));
});

test("a tool that becomes destructive has drifted", async () => {
	const client = await createClient();
	const { agent, offer } = await attached(client);
	const annotations = { destructiveHint: true };
	const [destructive] = await offer(tool("a", argument("q"), { annotations }), tool("b"));
	const { mcp_refs } = await read(client, agent);
	expect(mcp_refs).toMatchObject([
		{ drifted: true, drift: { observed: { annotations: null }, current: { annotations } } },
		{ drifted: false },
	]);
	const { body: accepted } = await accept(client, agent, destructive!.schema_hash);
	expect(accepted.mcp_refs[0]).toMatchObject({ drifted: false });
});

test("a pin under the older hash rule is compared under it until its drift is accepted", async () => {
	const client = await createClient();
	const { agent, server, tools, offer } = await attached(client);
	await makeOlder(env.DB, server.id, tools);
	const older = await Promise.all(tools.map(olderSchemaHash));
	const pinned = agent.mcp_refs.map((ref, i) => ({ ...ref, observed_schema_hash: older[i] }));
	const answer = await client.call<Agent>("PATCH", `/v1/agents/${agent.id}`, { mcp_refs: pinned });
	expect(answer.body.mcp_refs, JSON.stringify(answer.body)).toMatchObject([
		{ drifted: false },
		{ drifted: false },
	]);

	const annotations = { destructiveHint: true };
	const destructive = tool("a", argument("q"), { annotations });
	const [current] = await offer(destructive, tool("b"));
	expect((await read(client, agent)).mcp_refs).toMatchObject([{ drifted: false }, { drifted: false }]);
	const described = tool("a", argument("q"), { annotations, description: "other" });
	await offer(described, tool("b"));
	expect((await read(client, agent)).mcp_refs).toMatchObject([
		{ drifted: true, drift: { observed: { name: "a", description: "" }, current: { description: "other" } } },
		{ drifted: false },
	]);
	await offer(destructive, tool("b"));
	const { status } = await accept(client, agent, current!.schema_hash);
	expect(status).toBe(200);
	await offer(tool("a"), tool("b"));
	expect((await read(client, agent)).mcp_refs).toMatchObject([
		{ drifted: true, drift: { observed: { annotations }, current: { annotations: null } } },
		{ drifted: false },
	]);
});

test("accepting a drift changes the pin and creates a version", async () => {
	const client = await createClient();
	const { agent, offer } = await attached(client);
	const [changed] = await offer(tool("a", argument("query")), tool("b"));
	const { status, body } = await accept(client, agent, changed!.schema_hash);
	expect(status).toBe(200);
	expect(body.mcp_refs[0]).toMatchObject({
		...{ observed_schema_hash: changed!.schema_hash, drifted: false, drift: null },
		attachment_id: agent.mcp_refs[0]?.attachment_id,
	});
	expect(body.version_number).toBe(2);
	const { body: version } = await client.call<AgentVersion>("GET", `/v1/agents/${agent.id}/versions/2`);
	expect(version).toMatchObject({ changed_fields: ["mcp_refs"], source: "api" });
	expect(version.config.mcp_refs[0]).not.toHaveProperty("drifted");
	expect((await accept(client, body, changed!.schema_hash)).body).toEqual(body);
});

test("a tool that changed again is not accepted with its earlier hash", async () => {
	const client = await createClient();
	const { agent, offer } = await attached(client);
	const [first] = await offer(tool("a", argument("x")), tool("b"));
	await offer(tool("a", argument("y")), tool("b"));
	const before = await read(client, agent);
	const { status, body } = await accept(client, agent, first!.schema_hash);
	expect([status, body.error.code, body.error.fields?.map(({ path }) => path)]).toEqual([
		409,
		"REVISION_CONFLICT",
		["schema_hash"],
	]);
	expect(await read(client, agent)).toEqual(before);
});

test("a removed tool or an unavailable server has nothing to accept", async () => {
	const client = await createClient();
	const { agent, tools, offer, server } = await attached(client);
	await offer(tool("b"));
	const gone = await accept(client, agent, tools[0]!.schema_hash);
	expect([gone.status, gone.body.error.code]).toEqual([409, "MCP_CAPABILITY_UNAVAILABLE"]);
	await client.call("PATCH", `/v1/agents/mcp-servers/${server.id}`, { description: "changed" });
	const unknown = await accept(client, agent, tools[1]!.schema_hash, 1);
	expect([unknown.status, unknown.body.error.code]).toEqual([409, "MCP_CAPABILITY_UNAVAILABLE"]);
});

test("fixed arguments that the new schema lacks are named", async () => {
	const client = await createClient();
	const { agent, offer } = await attached(client);
	const mcp_refs = agent.mcp_refs.map((ref) => ({ ...ref, argument_overrides: { q: "fixed" } }));
	// An attachment may be sent back as the agent shows it, with its read-only members.
	const { status } = await client.call("PATCH", `/v1/agents/${agent.id}`, { mcp_refs });
	expect(status).toBe(200);
	const [changed] = await offer(tool("a", argument("query")), tool("b"));
	const refused = await accept(client, agent, changed!.schema_hash);
	expect([refused.status, refused.body.error.fields?.map(({ path }) => path)]).toEqual([
		422,
		["mcp_refs.0.argument_overrides.q"],
	]);
});

test("two concurrent accepts do not overwrite each other", async () => {
	const client = await createClient();
	const { agent, offer } = await attached(client);
	const found = await offer(tool("a", argument("x")), tool("b", argument("y")));
	const answers = await Promise.all(found.map(({ schema_hash }, i) => accept(client, agent, schema_hash, i)));
	const accepted = answers.filter(({ status }) => status === 200).length;
	for (const { status, body } of answers.filter(({ status }) => status !== 200))
		expect([status, body.error.code]).toEqual([409, "REVISION_CONFLICT"]);
	const { mcp_refs } = await read(client, agent);
	expect(mcp_refs.filter(({ drifted }) => !drifted)).toHaveLength(accepted);
});

test("an attachment of another kind or an unknown one is not found", async () => {
	const client = await createClient();
	const { agent, tools } = await attached(client);
	const path = `/v1/agents/${agent.id}/mcp-attachments/${crypto.randomUUID()}/accept-drift`;
	expect((await client.call("POST", path, { schema_hash: tools[0]!.schema_hash })).status).toBe(404);
});
