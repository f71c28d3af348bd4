import type { CallTool, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../context.ts";
import { withCallSlot } from "../call-slots/call-slots.ts";
import { assertActive, loadAgentInForce, sessionOf } from "../in-force/agent-in-force.ts";
import type { AgentInForce, RuntimeAttachment } from "../in-force/runtime-attachment.ts";
import { type Invocation, invoke } from "./invoke.ts";

export type ToolToCall = {
	agentId: string;
	/** Name in the toolset. */
	name: string;
	/** Values for placeholders where the caller has no session. */
	variables?: RuntimeVariables | undefined;
	body: CallTool;
} & Pick<Invocation, "cancelled" | "onProgress">;

/**
 * Calls a tool of an agent for its model and records the call. A tool that fails is a result; an error is thrown only if no
 * call was made.
 * @throws ApiError RESOURCE_NOT_FOUND, AGENT_INACTIVE, TOOL_NOT_ATTACHED, FEATURE_DISABLED, RATE_LIMITED
 */
export async function callTool(
	ctx: Ctx,
	{ agentId, name, variables, body, ...handlers }: ToolToCall,
): Promise<ToolCallResult> {
	const agent = await loadAgentInForce(ctx, agentId);
	assertActive(agent);
	const attachment = findAttachment(agent, name);
	const session = sessionOf(ctx);
	const call = withCallSlot(ctx, agentId, () =>
		invoke(ctx, {
			...{ agent, attachment, session, given: body.arguments },
			variables: session?.variables ?? variables ?? {},
			...{ toolCallId: body.tool_call_id ?? null, event: null, deadlineMs: body.deadline_ms },
			...handlers,
		}),
	);
	// A client that disconnects would otherwise end the call before its record and its slot are settled.
	ctx.defer(call.catch(() => undefined));
	return call;
}

/** Returns the attachment that the model knows by this name. @throws ApiError TOOL_NOT_ATTACHED, listing the valid names */
function findAttachment({ name: agent, attachments }: AgentInForce, name: string): RuntimeAttachment {
	const callable = attachments.filter(({ invocation }) => invocation === "model");
	const found = callable.find((attachment) => attachment.name === name);
	if (found) return found;
	const names = callable.map((attachment) => attachment.name).join(", ");
	const known = names === "" ? "It has no tools for its model." : `Its tools are: ${names}.`;
	throw new ApiError("TOOL_NOT_ATTACHED", `The agent ${agent} has no tool ${name}. ${known}`);
}
