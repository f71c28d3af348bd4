import type { EventCalls, ReportEvent, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../context.ts";
import { withCallSlot } from "../call-slots/call-slots.ts";
import { assertActive, loadAgentInForce, sessionOf } from "../in-force/agent-in-force.ts";
import { invoke } from "../tool-calls/invoke.ts";
import { CallFailure } from "../tool-calls/run/call-failure.ts";
import { getLiveSession } from "./find-session.ts";
import { runEvent } from "./run-event.ts";

/**
 * Runs the tools that an event of a call starts, one after another, and records each call. A tool that fails is a result.
 * @throws ApiError RESOURCE_NOT_FOUND, AGENT_INACTIVE, VALIDATION_FAILED, FEATURE_DISABLED, RATE_LIMITED
 */
export async function reportEvent(ctx: Ctx, agentId: string, body: ReportEvent): Promise<EventCalls> {
	const session = await sessionFor(ctx, agentId, body.session_id);
	const agent = await loadAgentInForce(ctx, agentId, session);
	assertActive(agent);
	const system = agent.attachments.filter(({ invocation }) => invocation === "system");
	const endsAt = ctx.clock().getTime() + body.deadline_ms;
	const calls: ToolCallResult[] = [];
	const work = withCallSlot(ctx, agentId, () =>
		runEvent(system, body.event, async (attachment) => {
			const deadlineMs = endsAt - ctx.clock().getTime();
			const result = await invoke(ctx, {
				...{ agent, attachment, session, given: {}, variables: session.variables },
				...{ toolCallId: null, event: body.event, deadlineMs: Math.max(1, deadlineMs) },
				refusal: deadlineMs > 0 ? undefined : new CallFailure("TIMED_OUT", TOO_LATE),
			});
			calls.push(result);
			return result.status === "succeeded";
		}),
	);
	// A client that disconnects would otherwise end the calls before their records are settled.
	ctx.defer(work.catch(() => undefined));
	await work;
	return { calls };
}

const TOO_LATE = "The tools before it took all the time of the event, so the tool was not started";

/** Returns the session that an event belongs to. @throws ApiError VALIDATION_FAILED, RESOURCE_NOT_FOUND */
async function sessionFor(ctx: Ctx, agentId: string, id: string | undefined): Promise<RuntimeSession> {
	const own = sessionOf(ctx);
	if (own && (id === undefined || id === own.id)) return own;
	if (own) throw invalid("Must be the token's own session. Omit it, or use a key.");
	if (id === undefined) throw invalid("Is required with a key");
	return getLiveSession(ctx, agentId, id);
}

const invalid = (message: string): ApiError =>
	new ApiError("VALIDATION_FAILED", `session_id: ${message}`, { fields: [{ path: "session_id", message }] });
