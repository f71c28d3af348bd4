import { logError } from "@parley/context/log";
import type { RuntimeEvent, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type { RuntimeSession, RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import type { ProgressNotice } from "@parley/contracts/internal/mcp-client-rpc";
import { newId } from "@parley/db/id";
import type { Ctx } from "../../context.ts";
import type { Arguments } from "../../runs/arguments.ts";
import type { AgentInForce, RuntimeAttachment } from "../in-force/runtime-attachment.ts";
import { argumentFault } from "./argument-limits.ts";
import { contentOf } from "./call-content.ts";
import { startRecord } from "./records/call-record.ts";
import { startDeadline } from "./run/call-deadline.ts";
import type { CallFailure } from "./run/call-failure.ts";
import { type CallOutcome, failedWith, outcomeOfError } from "./run/call-outcome.ts";
import { runCall } from "./run/run-call.ts";

/** One call to make, by the model or by an event. */
export type Invocation = {
	agent: AgentInForce;
	attachment: RuntimeAttachment;
	/** Arguments from the model. */
	given: Arguments;
	variables: RuntimeVariables;
	session: RuntimeSession | undefined;
	toolCallId: string | null;
	event: RuntimeEvent | null;
	deadlineMs: number;
	/** Why the tool is not run at all. The call is recorded with it. */
	refusal?: CallFailure | undefined;
	/** Aborts when the caller no longer wants the result. */
	cancelled?: AbortSignal | undefined;
	onProgress?: ((progress: ProgressNotice) => void) | undefined;
};

/** Time after a call's deadline by which its worker has recorded the end, if it lives. */
const RECORD_GRACE_MS = 30_000;

/**
 * Makes one call and records it, however it ends.
 * @throws ApiError FEATURE_DISABLED, and faults of Parley itself, which are recorded too.
 */
export async function invoke(ctx: Ctx, invocation: Invocation): Promise<ToolCallResult> {
	const { agent, attachment, session, event, toolCallId, deadlineMs } = invocation;
	const id = newId();
	const startedAt = ctx.clock();
	const identity = identityOf(attachment);
	const record = startRecord(ctx, {
		organisationId: ctx.actor.organisation.id,
		...{ id, agentId: agent.agentId, agentVersion: agent.version, ...identity },
		...{ sessionId: session?.id ?? null, callId: session?.callId ?? null, toolCallId, event },
		arguments: {},
		actor: ctx.actor.id,
		createdAt: startedAt.toISOString(),
		expiresAt: new Date(startedAt.getTime() + deadlineMs + RECORD_GRACE_MS).toISOString(),
	});
	const end = (outcome: CallOutcome): number => {
		const endedAt = ctx.clock();
		const latencyMs = Math.max(0, endedAt.getTime() - startedAt.getTime());
		record.end({ ...outcome, latencyMs, endedAt: endedAt.toISOString() });
		return latencyMs;
	};
	try {
		const outcome = await outcomeOf(ctx, { ...invocation, id, onScrubbed: record.setArguments });
		return resultOf(invocation, { id, outcome, latencyMs: end(outcome) });
	} catch (error) {
		end(failedWith({ code: "INTERNAL_ERROR", message: "Parley failed to make the call" }));
		throw error;
	}
}

type Numbered = Invocation & { id: string; onScrubbed: (given: Arguments) => void };

async function outcomeOf(ctx: Ctx, call: Numbered): Promise<CallOutcome> {
	const { refusal } = call;
	if (refusal) return failedWith({ code: refusal.code, message: refusal.message });
	const fault = argumentFault(call.given);
	if (fault) return fault;
	const deadline = startDeadline(call.deadlineMs, call.cancelled);
	const work = runCall(ctx, { ...call, deadline });
	// Work that goes on after the deadline must end by itself, such as by giving its slot in the sandbox back.
	ctx.defer(work.catch(() => undefined));
	try {
		return await deadline.race(work);
	} catch (error) {
		const outcome = outcomeOfError(error, (text) => text);
		if (!outcome) {
			logError("TOOL_CALL_FAILED", error, { request_id: ctx.requestId, tool_call: call.id });
			throw error;
		}
		return outcome;
	} finally {
		deadline.end();
	}
}

function identityOf(attachment: RuntimeAttachment) {
	const { attachmentId, name } = attachment;
	return attachment.kind === "tool"
		? { attachmentId, name, toolId: attachment.toolId, versionNumber: attachment.version }
		: { attachmentId, name, toolId: attachment.serverId, versionNumber: null };
}

function resultOf(
	{ attachment }: Invocation,
	{ id, outcome, latencyMs }: { id: string; outcome: CallOutcome; latencyMs: number },
): ToolCallResult {
	const { attachmentId, name, toolId, versionNumber } = identityOf(attachment);
	const config = attachment.kind === "tool" ? attachment.runnable?.config : undefined;
	const response = config?.type === "api_request" ? config.response : undefined;
	return {
		...{ id, attachment_id: attachmentId, name, tool_id: toolId, version: versionNumber },
		...{ status: outcome.status, latency_ms: latencyMs, output: outcome.output },
		content: response?.show_to_llm === false ? "" : contentOf(outcome),
		instructions: outcome.status === "succeeded" ? (response?.instructions ?? null) : null,
		...{ directive: outcome.directive, error: outcome.error, validation: outcome.validation },
	};
}
