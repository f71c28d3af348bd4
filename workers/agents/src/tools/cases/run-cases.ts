import type { CaseResult, RunToolCases, ToolCasesResult } from "@parley/contracts/agents/tool-cases";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Scrubber } from "@parley/vault/scrub/scrub";
import type { Ctx } from "../../context.ts";
import { type Attempt, attemptRun } from "../../runs/attempt-run.ts";
import { assertConfirmed, assertRunnable, draftToRun, runAndRecord } from "../../runs/run-tool.ts";
import { type Runnable, readRunnableVersion } from "../../runs/runnable.ts";
import { readOwnTool } from "../find-tool.ts";
import { compareResult } from "./compare-result.ts";
import { withMock } from "./mocked-endpoint.ts";
import { type CaseRow, keepResult, selectCases } from "./tool-cases.service.ts";

const CASES_AT_ONCE = 4;
/** Code takes the organisation's slots in the sandbox, which live calls need too. */
const CODE_CASES_AT_ONCE = 1;
/** Cases that have not begun by then do not run. */
const MAX_DURATION_MS = 60_000;

/**
 * Runs all cases of a tool and compares each result with what its case expects. Real runs go into the tool's history. With
 * mocks nothing is recorded, and nothing leaves the worker. The results of the draft are kept with the cases.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_CONTEXT_BOUND, FEATURE_DISABLED, TOOL_NOT_BUILT,
 * VALIDATION_FAILED; TOOL_CHANGED when the draft was changed while its cases ran
 */
export async function runToolCases(ctx: Ctx, toolId: string, body: RunToolCases): Promise<ToolCasesResult> {
	const tool = await runnableOf(ctx, toolId, body);
	if (!body.mocks) assertConfirmed(tool, body);
	const rows = await selectCases(ctx, toolId);
	const deadline = ctx.clock().getTime() + MAX_DURATION_MS;
	const atOnce = tool.toolType === "code" ? CODE_CASES_AT_ONCE : CASES_AT_ONCE;
	const cases = await mapAtOnce(rows, atOnce, (row) =>
		ctx.clock().getTime() < deadline ? runCase(ctx, tool, row, body.mocks) : notRun(row, TOO_LATE),
	);
	if (tool.versionNumber === null) await keepResults(ctx, tool, rows, cases, body.mocks);
	return {
		tool_id: toolId,
		version_number: tool.versionNumber,
		content_hash: tool.contentHash,
		mocks: body.mocks,
		passed: cases.length > 0 && cases.every(({ passed }) => passed),
		cases,
	};
}

async function runnableOf(ctx: Ctx, toolId: string, { version_number }: RunToolCases): Promise<Runnable> {
	const row = await readOwnTool(ctx, toolId);
	if (version_number === undefined) return draftToRun(ctx, row);
	const version = await readRunnableVersion(ctx, toolId, version_number);
	assertRunnable(ctx, version);
	return version;
}

async function runCase(ctx: Ctx, tool: Runnable, row: CaseRow, mocks: boolean): Promise<CaseResult> {
	if (mocks && tool.toolType === "api_request" && row.mock === null) return notRun(row, NO_MOCK);
	const startedAt = ctx.clock().getTime();
	try {
		const { result, scrubber } = mocks
			? await attemptRun(row.mock ? withMock(ctx, row.mock) : ctx, tool, row.arguments)
			: await runAndRecord(ctx, tool, row.arguments);
		return ofRun(row, result, scrubber, mocks ? null : result.run_id);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		if (error.code === "RATE_LIMITED") return notRun(row, error);
		if (error.code !== "VALIDATION_FAILED") throw error;
		const diff = compareResult(row.expect, { status: "rejected", output: null });
		return {
			...{ case_id: row.id, name: row.name, passed: diff.length === 0, status: "rejected", run_id: null },
			latency_ms: Math.max(0, ctx.clock().getTime() - startedAt),
			error: { code: error.code, message: error.message.replace(/^sample_input/, "arguments") },
			diff,
		};
	}
}

function ofRun(row: CaseRow, run: Attempt["result"], scrubber: Scrubber, runId: string | null): CaseResult {
	const diff = compareResult(row.expect, { status: run.status, output: run.output_json });
	return {
		...{ case_id: row.id, name: row.name, passed: diff.length === 0, status: run.status, run_id: runId },
		latency_ms: run.latency_ms,
		error: run.error,
		diff: scrubber.json(diff) as CaseResult["diff"],
	};
}

type Reason = { code: string; message: string };

const NO_MOCK: Reason = {
	code: "MOCK_MISSING",
	message: "The case has no mock. Add one, or run the cases without mocks.",
};
const TOO_LATE: Reason = {
	code: "TIMED_OUT",
	message: `The cases before it took ${MAX_DURATION_MS / 1000} seconds. Run fewer or faster cases.`,
};

const notRun = ({ id, name }: CaseRow, { code, message }: Reason): CaseResult => ({
	...{ case_id: id, name, passed: false, status: "not_run", run_id: null, latency_ms: 0 },
	error: { code, message },
	diff: [],
});

async function keepResults(
	ctx: Ctx,
	tool: Runnable,
	rows: readonly CaseRow[],
	cases: readonly CaseResult[],
	mocked: boolean,
): Promise<void> {
	const ran_at = ctx.clock().toISOString();
	const [first, ...rest] = rows.flatMap((row, index) => {
		const result = cases[index];
		if (!result || result.status === "not_run") return [];
		return [keepResult(ctx, row, { passed: result.passed, content_hash: tool.contentHash, mocked, ran_at })];
	});
	if (first) await ctx.db.batch([first, ...rest]);
}

/** Maps items in order, with so many under way at once. */
async function mapAtOnce<T, R>(
	items: readonly T[],
	atOnce: number,
	map: (item: T) => R | Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	const waiting = items.entries();
	const work = async () => {
		for (const [index, item] of waiting) results[index] = await map(item);
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	return results;
}
