import {
	type CallToolResult,
	ProtocolError,
	ProtocolErrorCode,
	type Tool,
} from "@modelcontextprotocol/server";
import type { Actor } from "@parley/context/actor";
import type {
	AgentRuntimeRpc,
	RuntimeAnswer,
	RuntimeCallResult,
	RuntimeRefusal,
	RuntimeTarget,
	RuntimeTool,
	RuntimeVariables,
} from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import type { McpEndpoint, ToolCall } from "../protocol/serve-mcp.ts";

/** Codes of calls that no other arguments would mend. The model hears of all others. */
const PROTOCOL_CODES: readonly string[] = ["TOOL_NOT_ATTACHED", "RESOURCE_NOT_FOUND", "VALIDATION_FAILED"];

/** Creates the server of one agent's tools for one request. */
export function createAgentEndpoint(ctx: Ctx, agentId: string, variables?: RuntimeVariables): McpEndpoint {
	const runtime = ctx.env.AGENT_RUNTIME as unknown as AgentRuntimeRpc<Actor>;
	const target: RuntimeTarget<Actor> = {
		...{ actor: ctx.actor, agentId, requestId: ctx.requestId },
		...(variables && { variables }),
	};
	return {
		describe: async () => {
			const { name, version, instructions } = unwrap(await runtime.describe(target));
			return { name, version: String(version), instructions };
		},
		listTools: async () => {
			const { agentName, version, tools } = unwrap(await runtime.toolset(target));
			return { server: { name: agentName, version: String(version) }, tools: tools.map(toMcpTool) };
		},
		callTool: (call) => callTool(ctx, runtime, target, call),
	};
}

async function callTool(
	ctx: Ctx,
	runtime: AgentRuntimeRpc<Actor>,
	target: RuntimeTarget<Actor>,
	{ name, arguments: given, signal, onProgress }: ToolCall,
): Promise<CallToolResult> {
	const running = await runtime.startCall(target, { name, arguments: given }, onProgress);
	const result = running.result();
	// When the client disconnects, this lets the call end and be recorded.
	ctx.defer(result);
	const cancel = () => ctx.defer(running.cancel());
	if (signal.aborted) cancel();
	else signal.addEventListener("abort", cancel, { once: true });
	try {
		return toCallToolResult(name, await result);
	} finally {
		signal.removeEventListener("abort", cancel);
	}
}

/**
 * Writes the outcome of a call as MCP has it.
 * @throws ProtocolError for a tool that does not exist
 */
export function toCallToolResult(name: string, answer: RuntimeAnswer<RuntimeCallResult>): CallToolResult {
	if (!answer.ok) return toRefusal(name, answer.refusal);
	const { value } = answer;
	const { output } = value;
	// An output that is not for the model has no content.
	const isForModel = value.status === "succeeded" && value.content !== "";
	const isStructured = value.has_output_schema && isForModel && isObject(output);
	return {
		content: value.content === "" ? [] : [{ type: "text", text: value.content }],
		...(isStructured && { structuredContent: output }),
		...(value.status !== "succeeded" && { isError: true }),
		_meta: {
			"parley/tool_call_id": value.id,
			"parley/tool_id": value.tool_id,
			"parley/version": value.version,
			"parley/directive": value.directive,
		},
	};
}

function toRefusal(name: string, { code, message }: RuntimeRefusal): CallToolResult {
	if (code === "TOOL_NOT_ATTACHED")
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool not found: ${name.slice(0, 100)}`);
	if (PROTOCOL_CODES.includes(code)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
	return { content: [{ type: "text", text: message }], isError: true };
}

/**
 * Writes a tool as MCP has it. An output schema whose root is no object is left out: the revisions of 2025 know none.
 */
export function toMcpTool({
	name,
	title,
	description,
	parameters,
	outputSchema,
	annotations,
}: RuntimeTool): Tool {
	return {
		...{ name, description, inputSchema: withoutHeaders(parameters) as Tool["inputSchema"] },
		...(title !== undefined && { title }),
		...(outputSchema?.type === "object" && { outputSchema: outputSchema as Tool["outputSchema"] }),
		...(annotations && { annotations }),
	};
}

/** Removes the keyword `x-mcp-header`: a client would repeat these arguments in headers, which Parley does not read. */
function withoutHeaders(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutHeaders);
	if (!isObject(schema)) return schema;
	const kept = Object.entries(schema).filter(([key, value]) => key !== "x-mcp-header" || isObject(value));
	return Object.fromEntries(kept.map(([key, value]) => [key, withoutHeaders(value)]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** @throws ApiError for a refusal */
function unwrap<T>(answer: RuntimeAnswer<T>): T {
	if (answer.ok) return answer.value;
	const { code, message, fields, headers } = answer.refusal;
	throw new ApiError(code, message, { ...(fields && { fields }), ...(headers && { headers }) });
}
