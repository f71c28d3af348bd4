import { type PriorDiscovery, ProtocolError } from "@modelcontextprotocol/client";
import type { McpCallOutcome, McpToolCall, ProgressNotice } from "@parley/contracts/internal/mcp-client-rpc";
import type { EgressRules } from "@parley/egress/egress-rules";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { createScrubber, type Scrubber } from "@parley/vault/scrub/scrub";
import { ConnectFailure } from "../session/connect-failure.ts";
import { startDeadline } from "../session/deadline.ts";
import { noObservations } from "../session/exchange.ts";
import { valuesToScrub } from "../session/known-values.ts";
import { openSession, type Session } from "../session/open-session.ts";
import { toFailure } from "../session/sdk-errors.ts";
import { resolveTarget, type Vault } from "../session/target.ts";
import { createTrace } from "../session/trace.ts";

export type ToolCallInput = {
	call: McpToolCall;
	onProgress?: ((progress: ProgressNotice) => void) | undefined;
	/** Aborts when the caller no longer wants the result. */
	cancelled: AbortSignal;
	config: ServerConfig;
	vault: Vault;
	/** Protocol era detected by an earlier attempt. */
	prior: PriorDiscovery | undefined;
	rules: EgressRules;
	fetch?: typeof globalThis.fetch | undefined;
	clock: () => Date;
};

export type ToolCallAnswer = {
	answer: McpCallOutcome;
	/** Protocol era that this call has detected. */
	prior: PriorDiscovery | undefined;
};

/** Connects to a server, calls one of its tools and disconnects. Reports failures in the answer instead of throwing. */
export async function callTool(input: ToolCallInput): Promise<ToolCallAnswer> {
	const { call, vault, config, clock, cancelled } = input;
	const scrubber = createScrubber(valuesToScrub(config, vault));
	const trace = createTrace(clock, scrubber.text);
	const deadline = startDeadline(call.timeoutMs);
	const cancel = () => deadline.fail(new ConnectFailure("timeout", CANCELLED));
	if (cancelled.aborted) cancel();
	cancelled.addEventListener("abort", cancel, { once: true });
	const observed = noObservations();
	let session: Session | undefined;
	let answer: McpCallOutcome;
	try {
		const target = resolveTarget(config, vault);
		session = await openSession({ ...input, target, deadline, trace }, observed);
		answer = await deadline.race(request(session, input, deadline.remainingMs(), scrubber));
	} catch (error) {
		answer = cancelled.aborted
			? { kind: "failed", code: "cancelled", message: CANCELLED }
			: failed(error, toFailure(error, observed, clock()), trace.line);
	}
	const discover = session?.discover;
	const prior: PriorDiscovery | undefined =
		session && !input.prior ? (discover ? { kind: "modern", discover } : { kind: "legacy" }) : undefined;
	// The answer does not wait for the end of the session.
	void session?.close().finally(() => deadline.end());
	if (!session) deadline.end();
	return { answer, prior };
}

const CANCELLED = "The caller cancelled the call";

async function request(
	{ client }: Session,
	{ call, onProgress }: ToolCallInput,
	timeoutMs: number,
	scrubber: Scrubber,
): Promise<McpCallOutcome> {
	const result = await client.callTool(
		{ name: call.name, arguments: call.arguments },
		{
			timeout: timeoutMs,
			toolDefinition: { name: call.name, inputSchema: call.inputSchema as { type: "object" } },
			...(onProgress && { onprogress: (progress) => onProgress(noticeOf(progress, scrubber)) }),
		},
	);
	return {
		kind: "result",
		isError: result.isError === true,
		content: scrubber.json(result.content ?? []) as Extract<McpCallOutcome, { kind: "result" }>["content"],
		structured: scrubber.json(result.structuredContent ?? null),
	};
}

function noticeOf(
	{
		progress,
		total,
		message,
	}: { progress: number; total?: number | undefined; message?: string | undefined },
	{ text }: Scrubber,
): ProgressNotice {
	return {
		progress,
		...(total !== undefined && { total }),
		...(message !== undefined && { message: text(message) }),
	};
}

/** Returns the answer for a failure. A protocol error that the server answered with is the tool's own refusal. */
function failed(
	error: unknown,
	failure: ConnectFailure,
	line: (text: string, max?: number) => string,
): McpCallOutcome {
	if (ProtocolError.isInstance(error))
		return {
			kind: "result",
			isError: true,
			content: [{ type: "text", text: line(`The server refused the call: ${error.message}`, 2_000) }],
			structured: null,
		};
	return { kind: "failed", code: failure.code, message: line(failure.message, 500) };
}
