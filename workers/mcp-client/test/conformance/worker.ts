import type { Tool } from "@modelcontextprotocol/client";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { startDeadline } from "../../src/session/deadline.ts";
import { createExchange, noObservations } from "../../src/session/exchange.ts";
import { emptyListing, listTools } from "../../src/session/list-tools.ts";
import { openSession, type Session } from "../../src/session/open-session.ts";
import { createTrace } from "../../src/session/trace.ts";
import { authorized, createProvider, type Registration } from "./oauth.ts";

type Run = {
	scenario: string;
	url: string;
	version: string;
	context: (Partial<Registration> & { toolCalls?: { name: string; arguments: Json }[] }) | null;
};
type Json = Record<string, unknown>;

/** Our client in the runtime that it runs in: plays one scenario of the conformance suite against the suite's server. */
export default {
	async fetch(request) {
		try {
			await play(await request.json<Run>());
			return new Response("done");
		} catch (error) {
			return new Response(error instanceof Error ? (error.stack ?? error.message) : String(error), {
				status: 500,
			});
		}
	},
} satisfies ExportedHandler;

async function play({ url, version, context }: Run): Promise<void> {
	const registration = context?.client_id ? (context as Registration) : undefined;
	const consent = createProvider(registration);
	const deadline = startDeadline(28_000);
	const trace = createTrace(
		() => new Date(),
		(text) => text,
	);
	const target = { url: new URL(url), transport: "streamable_http" as const, headers: [], secretHeaders: [] };
	const shared = { rules: { allowLoopback: true }, deadline, trace };
	const fetchFn = createExchange(
		{ ...shared, transport: target.transport, secretHeaders: [] },
		noObservations(),
	);
	const retrying = <T>(work: () => Promise<T>) =>
		authorized(consent, { serverUrl: target.url, fetchFn }, work);

	const session = await retrying(() =>
		openSession(
			{
				...{ ...shared, target, authProvider: consent.provider },
				listens: true,
				client: {
					capabilities: { elicitation: { form: { applyDefaults: true } } },
					// The suite starts all its scenarios at once, on machines that do other work beside.
					versionNegotiation: { mode: "auto", probe: { timeoutMs: 20_000 } },
				},
				...(version < "2026" && { prior: { kind: "legacy" } }),
			},
			noObservations(),
		),
	);
	fillForms(session);
	const { tools } = await retrying(async () => {
		const listing = emptyListing();
		await listTools(session.client, listing, { deadline, trace, scrub: (value) => value });
		return listing;
	});
	const calls =
		context?.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: sampleOf(tool, tools) }));
	for (const call of calls) {
		const tool = tools.find(({ name }) => name === call.name);
		const toolDefinition = tool && definitionOf(tool);
		await retrying(() => session.client.callTool(call, toolDefinition && { toolDefinition }));
	}
	await readAround(session);
	await session.close();
	deadline.end();
}

/** Answers each question of a server with what its form asks for; what has a default is left to the library. */
function fillForms({ client }: Session): void {
	client.setRequestHandler("elicitation/create", async ({ params }) => {
		const schema = "requestedSchema" in params ? params.requestedSchema : undefined;
		return { action: "accept", content: sample(schema as Json | undefined) as Record<string, string> };
	});
}

async function readAround({ client }: Session): Promise<void> {
	const capabilities = client.getServerCapabilities();
	if (capabilities?.resources) {
		const { resources } = await client.listResources();
		for (const { uri } of resources) await client.readResource({ uri });
	}
	if (capabilities?.prompts) {
		const { prompts } = await client.listPrompts();
		for (const { name } of prompts) await client.getPrompt({ name });
	}
}

/** Returns the tool in the library's form, by which it mirrors arguments into headers. */
const definitionOf = ({ name, input_schema, output_schema }: DiscoveredTool): Tool => ({
	name,
	inputSchema: input_schema as Tool["inputSchema"],
	...(output_schema && { outputSchema: output_schema as Tool["outputSchema"] }),
});

/** A tool that takes a schema is told how another tool's schema has arrived. */
function sampleOf(tool: DiscoveredTool, tools: DiscoveredTool[]): Json {
	const { properties = {} } = tool.input_schema as { properties?: Json };
	const other = tools.find(({ name }) => name !== tool.name);
	return { ...sample(tool.input_schema), ...("schema" in properties && { schema: other?.input_schema }) };
}

const SAMPLES: Json = { string: "text", number: 1, integer: 1, boolean: true, array: [], object: {} };

/** A value for each property that is needed and has no default. */
function sample(schema: Json | undefined): Json {
	const required = Array.isArray(schema?.required) ? schema.required : [];
	const properties = Object.entries((schema?.properties ?? {}) as Record<string, Json>);
	return Object.fromEntries(
		properties
			.filter(([name, property]) => required.includes(name) && !("default" in property))
			.map(([name, property]) => [name, SAMPLES[String(property.type)] ?? "text"]),
	);
}
