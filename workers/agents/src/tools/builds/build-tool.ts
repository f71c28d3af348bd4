import { logError } from "@parley/context/log";
import type { BuildError, CodeBuild } from "@parley/contracts/python-rpc";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { tools } from "@parley/db/tools";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { keptAlive, leaseEnd } from "../../sandbox/keep-alive.ts";
import { sandboxOf } from "../../sandbox/sandbox.ts";
import { choosePlace, noPlace, type Place } from "../../sandbox/slots.ts";
import { liveTool, type ToolRow } from "../tool-row.ts";
import { auditTool, writeTool } from "../write-tool.ts";

/** Beyond all limits of the sandbox: reached only when it was lost without a word. */
const LOST_AFTER_MS = 120_000;

type Build = { tool: ToolRow; place: Place };
type Result = Partial<typeof tools.$inferSelect>;

/**
 * Takes the build of a tool as it is stored now.
 * @returns undefined when another build of it runs.
 * @throws ApiError RATE_LIMITED when the organisation has no place left in the sandbox.
 */
export async function beginBuild(ctx: Ctx, row: ToolRow): Promise<Build | undefined> {
	const place = choosePlace(ctx);
	const now = ctx.clock();
	const isFree = sql`exists (select 1 from ${tools} where ${liveTool(ctx, row.id)}
		and not (${tools.buildState} = 'building' and ${tools.buildUntil} > ${now.toISOString()}))`;
	const started = { buildErrors: null, buildId: place.id, buildUntil: leaseEnd(now) };
	try {
		const tool = await writeTool(ctx, row.id, [
			assertThat(ctx.db, isFree, "BUILD_RUNS"),
			...place.take,
			ctx.db
				.update(tools)
				.set({ ...started, buildState: "building" })
				.where(liveTool(ctx, row.id)),
			auditTool(ctx, "tool.introspect", row),
		]);
		return { tool, place };
	} catch (error) {
		if (failedAssertion(error) === "BUILD_RUNS") return undefined;
		throw noPlace(ctx, error) ?? error;
	}
}

/** Builds, and writes what came of it into the tool unless that was changed meanwhile or is built by somebody else. */
export async function finishBuild(ctx: Ctx, { tool, place }: Build): Promise<void> {
	const isOwn = and(liveTool(ctx, tool.id), eq(tools.buildId, place.id));
	const prolong = () =>
		ctx.db.batch([
			place.prolong(),
			ctx.db
				.update(tools)
				.set({ buildUntil: leaseEnd(ctx.clock()) })
				.where(isOwn),
		]);
	const answer = await keptAlive(prolong, () => build(ctx, tool));
	await ctx.db.batch([
		ctx.db
			.update(tools)
			.set({ ...toResult(ctx, tool, answer), buildId: null, buildUntil: null })
			.where(isOwn),
		place.leave,
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
		return { ok: false, errors: [UNREACHED], logs: [], logs_truncated: false };
	} finally {
		clearTimeout(timer);
	}
}

const UNREACHED: BuildError = {
	...{ code: "SANDBOX_ERROR", gate: "code_environment", message: "The sandbox did not answer; try again" },
	...{ traceback: null, dependency: null, suggested_pin: null },
};

function toResult(ctx: Ctx, tool: ToolRow, answer: CodeBuild): Result {
	if (!answer.ok) return { buildState: "failed", buildErrors: answer.errors };
	const found = {
		frozenDeps: answer.frozen_deps,
		argSchema: answer.tool.arg_schema,
		outputSchema: answer.tool.output_schema,
	};
	return {
		...{ buildState: "built", builtHash: tool.sourceHash, builtAt: ctx.clock().toISOString() },
		...found,
		...(!isBuiltAs(tool, found) && { provenHash: null }),
	};
}

/**
 * Whether the last good build found the same. The index may have other wheels by now and annotations may say other things
 * each time, so the same source is no proof that the same will run.
 */
function isBuiltAs(
	tool: ToolRow,
	found: Pick<ToolRow, "frozenDeps" | "argSchema" | "outputSchema">,
): boolean {
	const { frozenDeps, argSchema, outputSchema } = tool;
	const before = JSON.stringify([frozenDeps, argSchema, outputSchema]);
	const after = JSON.stringify([found.frozenDeps, found.argSchema, found.outputSchema]);
	return tool.builtHash === tool.sourceHash && before === after;
}
