import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Actor } from "@parley/context/actor";
import type { ManagementRpc, ManagementTool } from "@parley/contracts/internal/management-rpc";
import { VERSION } from "@parley/contracts/shared/version";
import type { Ctx } from "../context.ts";
import type { McpEndpoint, ToolCall } from "../protocol/serve-mcp.ts";
import { toRequest } from "./tool-request.ts";

export const MANAGEMENT_SERVER = { name: "parley", version: VERSION };

const INSTRUCTIONS =
	"Manages the organisation's voice agents, tools and transcription jobs on Parley. Path and query parameters are arguments; a request body is the argument `body`. Tools are changed as drafts: update, run, publish, then attach the published version with update_agent or accept_upgrade.";
/** Time for which a plane that is deployed anew keeps its old tools here. */
const KEPT_MS = 60_000;
/** Longest text of a result. More would fill a model's context. */
const MAX_TEXT_LENGTH = 200_000;

type PlaneName = "AGENTS" | "BATCH";
type PlaneTool = ManagementTool & { plane: PlaneName };

let kept: { tools: PlaneTool[]; until: number } | undefined;

/** Creates the management server for one request. It calls the API with the request's own credential. */
export const createManagementEndpoint = (ctx: Ctx, request: Request): McpEndpoint => ({
	describe: async () => ({ ...MANAGEMENT_SERVER, instructions: INSTRUCTIONS }),
	listTools: async () => {
		const allowed = (await listTools(ctx)).filter((tool) => isAllowed(ctx.actor, tool));
		return {
			server: MANAGEMENT_SERVER,
			tools: allowed.map(({ name, description, inputSchema, annotations }) => ({
				...{ name, title: annotations.title, description, annotations },
				inputSchema: inputSchema as { type: "object" },
			})),
		};
	},
	callTool: (call) => callTool(ctx, request, call),
});

async function callTool(ctx: Ctx, request: Request, call: ToolCall): Promise<CallToolResult> {
	const tool = (await listTools(ctx)).find(({ name }) => name === call.name);
	if (!tool || !isAllowed(ctx.actor, tool))
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool not found: ${call.name.slice(0, 100)}`);
	const built = toRequest(tool, call.arguments, request, ctx.requestId);
	if (!(built instanceof Request)) return failure(built.fault);
	const plane = planeOf(ctx, tool.plane);
	// The planes know keys and sessions, but not the access tokens of this worker. A signal cannot cross RPC.
	const response = await (ctx.actor.type === "user"
		? plane.fetchAs(built, ctx.actor)
		: plane.fetch(new Request(built, { signal: call.signal })));
	const text = await response.text();
	return response.ok ? { content: [{ type: "text", text: shorten(text) }] } : failure(shorten(text));
}

const failure = (text: string): CallToolResult => ({ content: [{ type: "text", text }], isError: true });

const isAllowed = ({ scopes }: Actor, { scope }: ManagementTool): boolean =>
	scope === null || scopes.has(scope);

const planeOf = ({ env }: Ctx, name: PlaneName): ManagementRpc<Actor> =>
	env[name] as unknown as ManagementRpc<Actor>;

/** Returns the tools of every plane, in the order of their routes. */
async function listTools(ctx: Ctx): Promise<PlaneTool[]> {
	const now = ctx.clock().getTime();
	if (kept && kept.until > now) return kept.tools;
	const planes = await Promise.all(
		(["AGENTS", "BATCH"] as const).map(async (plane) => {
			const tools = await planeOf(ctx, plane).managementTools();
			return tools.map((tool) => ({ ...tool, plane }));
		}),
	);
	kept = { tools: planes.flat(), until: now + KEPT_MS };
	return kept.tools;
}

function shorten(text: string): string {
	if (text.length <= MAX_TEXT_LENGTH) return text;
	return `${text.slice(0, MAX_TEXT_LENGTH)}\n[Cut at ${MAX_TEXT_LENGTH} of ${text.length} characters. Ask for fewer items.]`;
}
