import type { PublishResult, PublishTool, ToolSnapshot } from "@parley/contracts/agents/tools";
import { toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import type { Ctx } from "../../context.ts";
import { addReferences } from "../../secrets/references.ts";
import { assertCasesPassed, CASES_NOT_PASSED, casesGate } from "../cases/cases-gate.ts";
import { readOwnTool } from "../find-tool.ts";
import { publishChecks } from "../gates/gates.ts";
import { argumentSchema, toolReferences } from "../tool-content.ts";
import { liveTool, type ToolRow } from "../tool-row.ts";
import { assertUnchanged, auditTool, type Statement, writeTool } from "../write-tool.ts";

/**
 * Publishes a tool's current content as its next version. If this content is already published, returns the existing
 * version. If a gate fails, publishes nothing and returns the gates. `require_cases` adds the gate `cases`: the tool has
 * cases, and each has passed on the current content.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, REVISION_CONFLICT
 */
export async function publishTool(
	ctx: Ctx,
	toolId: string,
	options: Partial<PublishTool> = {},
): Promise<PublishResult> {
	const row = await readOwnTool(ctx, toolId);
	const checks = {
		...publishChecks(row),
		...(options.require_cases && { cases: await casesGate(ctx, row) }),
	};
	if (row.contentVersion !== null) return { published: true, version_number: row.contentVersion, checks };
	if (Object.values(checks).some(({ passed }) => !passed))
		return { published: false, version_number: null, checks };
	try {
		const statements = publishStatements(ctx, row);
		if (options.require_cases) statements.unshift(assertCasesPassed(ctx, row));
		const { contentVersion } = await writeTool(ctx, toolId, statements);
		return { published: true, version_number: contentVersion, checks };
	} catch (error) {
		// Another request published the same content first, so its version is returned.
		if (isUniqueViolation(error)) return publishTool(ctx, toolId, options);
		// A case was changed meanwhile, so its gate is checkOutput again.
		if (failedAssertion(error) === CASES_NOT_PASSED) return publishTool(ctx, toolId, options);
		throw error;
	}
}

function publishStatements(ctx: Ctx, row: ToolRow): [Statement, ...Statement[]] {
	const { organisationId, id: toolId, contentHash } = row;
	const versionId = newId();
	const versionNumber = (row.latestVersion ?? 0) + 1;
	const now = ctx.clock().toISOString();
	const references = toolReferences("tool_version", row);
	return [
		assertUnchanged(ctx, row),
		ctx.db.insert(toolVersions).values({
			...{ organisationId, toolId, versionNumber, contentHash, id: versionId },
			snapshot: snapshotOf(row),
			codeSrc: row.codeSrc,
			declaredSecrets: row.declaredSecrets,
			dependencies: row.dependencies,
			frozenDeps: row.frozenDeps ?? [],
			outputSchema: row.outputSchema,
			publishedBy: ctx.actor.id,
			publishedAt: now,
		}),
		ctx.db
			.update(tools)
			.set({ latestVersion: versionNumber, contentVersion: versionNumber, updatedAt: now })
			.where(liveTool(ctx, toolId)),
		addReferences(ctx, { type: "tool_version", id: versionId, classification: "historical" }, references),
		auditTool(ctx, "tool.publish", row, { version_number: versionNumber, content_hash: contentHash }),
	];
}

const snapshotOf = (row: ToolRow): ToolSnapshot => ({
	name: row.name,
	description: row.description,
	tool_type: row.toolType,
	argument_schema: argumentSchema(row, row.argSchema) ?? {},
	argument_defaults: row.argumentDefaults,
	config: row.config,
});
