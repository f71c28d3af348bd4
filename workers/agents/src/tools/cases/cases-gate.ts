import type { Gate } from "@parley/contracts/agents/tools";
import { toolCases } from "@parley/db/agents/tool-cases";
import { assertThat } from "@parley/db/assertion";
import { sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import type { ToolRow } from "../tool-row.ts";
import type { Statement } from "../write-tool.ts";
import { ofTool, selectCases } from "./tool-cases.service.ts";

const NAMED_CASES = 5;

/** Code that `failedAssertion` returns for a batch that `assertCasesPassed` stopped. */
export const CASES_NOT_PASSED = "CASES_NOT_PASSED";

/** Returns the gate `cases`: the tool has cases, and each has passed on the current content. */
export async function casesGate(ctx: Ctx, { id, contentHash }: ToolRow): Promise<Gate> {
	const rows = await selectCases(ctx, id);
	if (rows.length === 0) return { passed: false, detail: "The tool has no cases" };
	const open = rows.filter(
		({ lastResult }) => !lastResult?.passed || lastResult.content_hash !== contentHash,
	);
	if (open.length === 0) return { passed: true, detail: null };
	const names = open.slice(0, NAMED_CASES).map(({ name }) => name);
	const more = open.length > names.length ? `, and ${open.length - names.length} more` : "";
	const of = `${open.length} of ${rows.length} cases have not passed on the current content`;
	return { passed: false, detail: `${of}: ${names.join(", ")}${more}` };
}

/** Fails the batch unless the gate `cases` passes. */
export const assertCasesPassed = (ctx: Ctx, { id, contentHash }: ToolRow): Statement => {
	const { lastResult } = toolCases;
	const hasPassed = sql`coalesce(json_extract(${lastResult}, '$.passed') = 1
		and json_extract(${lastResult}, '$.content_hash') = ${contentHash}, 0)`;
	return assertThat(
		ctx.db,
		sql`(select count(*) > 0 and min(${hasPassed}) = 1 from ${toolCases} where ${ofTool(ctx, id)})`,
		CASES_NOT_PASSED,
	);
};
