import { leaseEnd, withLease } from "@parley/context/lease";
import { logError } from "@parley/context/log";
import type { Tool } from "@parley/contracts/agents/tools";
import type { BuildError, CodeBuild } from "@parley/contracts/internal/python-rpc";
import { tools } from "@parley/db/agents/tools";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { prepareSlot, type SandboxSlot, sandboxOf, slotsTaken } from "../../sandbox/sandbox.ts";
import { assertTypeEnabled } from "../create-tool.ts";
import { readOwnTool } from "../find-tool.ts";
import { liveTool, type ToolRow, toTool } from "../tool-row.ts";
import { auditTool, writeTool } from "../write-tool.ts";

/** Longer than every limit of the sandbox: a build only takes this long if the sandbox was lost. */
const LOST_AFTER_MS = 120_000;

type Build = { tool: ToolRow; slot: SandboxSlot };
type BuildOutcome = Partial<typeof tools.$inferSelect>;

/**
 * Builds a code tool and reads its arguments from the source. If the build takes long, this returns the tool as building,
 * and the build continues in the background. So it does while another request is building the same tool. Tools of other
 * types declare their arguments, so they are returned as they are.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, FEATURE_DISABLED, RATE_LIMITED
 */
export async function introspectTool(ctx: Ctx, toolId: string): Promise<Tool> {
	const row = await readOwnTool(ctx, toolId);
	if (row.toolType !== "code") return toTool(row);
	assertTypeEnabled(ctx, row.toolType);
	const build = await startBuild(ctx, row);
	if (build) await waitFor(ctx, finishBuild(ctx, build), Number(ctx.env.CODE_BUILD_WAIT_MS) || 10_000);
	return toTool(await readOwnTool(ctx, toolId));
}

/** Waits until work ends, at most `maxMs`. The work continues in either case. */
async function waitFor(ctx: Ctx, work: Promise<void>, maxMs: number): Promise<void> {
	ctx.defer(work);
	const { promise: late, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(resolve, maxMs);
	await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Claims the build of a tool as it is stored now.
 * @returns undefined when another build of the tool is running.
 * @throws ApiError RATE_LIMITED when every slot of the organisation is taken.
 */
export async function startBuild(ctx: Ctx, row: ToolRow): Promise<Build | undefined> {
	const slot = prepareSlot(ctx);
	const now = ctx.clock();
	const isFree = sql`exists (select 1 from ${tools} where ${liveTool(ctx, row.id)}
		and not (${tools.buildState} = 'building' and ${tools.buildUntil} > ${now.toISOString()}))`;
	const started = { buildErrors: null, buildId: slot.id, buildUntil: leaseEnd(now) };
	try {
		const tool = await writeTool(ctx, row.id, [
			assertThat(ctx.db, isFree, "BUILD_RUNS"),
			...slot.acquire,
			ctx.db
				.update(tools)
				.set({ ...started, buildState: "building" })
				.where(liveTool(ctx, row.id)),
			auditTool(ctx, "tool.introspect", row),
		]);
		return { tool, slot };
	} catch (error) {
		if (failedAssertion(error) === "BUILD_RUNS") return undefined;
		throw slotsTaken(ctx, error) ?? error;
	}
}

/** Builds, and records the outcome unless the source has changed or another build has claimed the tool meanwhile. */
export async function finishBuild(ctx: Ctx, { tool, slot }: Build): Promise<void> {
	const isOwn = and(liveTool(ctx, tool.id), eq(tools.buildId, slot.id));
	const renew = () =>
		ctx.db.batch([
			slot.renew(),
			ctx.db
				.update(tools)
				.set({ buildUntil: leaseEnd(ctx.clock()) })
				.where(isOwn),
		]);
	const answer = await withLease(renew, () => build(ctx, tool));
	await ctx.db.batch([
		ctx.db
			.update(tools)
			.set({ ...toOutcome(ctx, tool, answer), buildId: null, buildUntil: null })
			.where(isOwn),
		slot.release,
	]);
}

async function build(ctx: Ctx, tool: ToolRow): Promise<CodeBuild> {
	const lost = Promise.withResolvers<never>();
	const timer = setTimeout(() => lost.reject(new Error("The sandbox did not answer")), LOST_AFTER_MS);
	try {
		const { codeSrc, declaredSecrets, dependencies } = tool;
		const request = { code_src: codeSrc ?? "", declared_secrets: declaredSecrets, dependencies };
		return await Promise.race([sandboxOf(ctx).build(request), lost.promise]);
	} catch (error) {
		logError("SANDBOX_FAILED", error, { request_id: ctx.requestId });
		return { ok: false, errors: [NO_ANSWER], logs: [], logs_truncated: false };
	} finally {
		clearTimeout(timer);
	}
}

const NO_ANSWER: BuildError = {
	...{ code: "SANDBOX_ERROR", gate: "code_environment", message: "The sandbox did not answer; try again" },
	...{ traceback: null, dependency: null, suggested_pin: null },
};

function toOutcome(ctx: Ctx, tool: ToolRow, answer: CodeBuild): BuildOutcome {
	if (!answer.ok) return { buildState: "failed", buildErrors: answer.errors };
	const found = {
		frozenDeps: answer.frozen_deps,
		argSchema: answer.tool.arg_schema,
		outputSchema: answer.tool.output_schema,
	};
	return {
		...{ buildState: "built", builtHash: tool.sourceHash, builtAt: ctx.clock().toISOString() },
		...found,
		...(!isSameBuild(tool, found) && { provenHash: null }),
	};
}

/**
 * Returns whether the last successful build had the same result. The same source is not enough: the package index may
 * offer other wheels now, and annotations may evaluate differently each time.
 */
function isSameBuild(
	tool: ToolRow,
	found: Pick<ToolRow, "frozenDeps" | "argSchema" | "outputSchema">,
): boolean {
	const { frozenDeps, argSchema, outputSchema } = tool;
	const before = JSON.stringify([frozenDeps, argSchema, outputSchema]);
	const after = JSON.stringify([found.frozenDeps, found.argSchema, found.outputSchema]);
	return tool.builtHash === tool.sourceHash && before === after;
}
