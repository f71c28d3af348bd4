import type { Tool, UpdateTool } from "@parley/contracts/agents/tools";
import { ApiError, type FieldError } from "@parley/contracts/shared/api-error";
import { assertIfMatch } from "@parley/contracts/shared/etag";
import { toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { isUniqueViolation } from "@parley/db/client";
import { sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { replaceReferences } from "../secrets/references.ts";
import { readOwnTool } from "./find-tool.ts";
import { assertConfigAllowed } from "./gates/config-rules.ts";
import { hashContent, hashSource, type ToolContent, toolReferences } from "./tool-content.ts";
import { liveTool, type ToolRow, toTool } from "./tool-row.ts";
import { assertUnchanged, auditTool, draftHolder, nameConflict, writeTool } from "./write-tool.ts";

/**
 * Changes a tool's draft.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, VALIDATION_FAILED, TOOL_NAME_CONFLICT, REVISION_CONFLICT
 */
export async function updateTool(ctx: Ctx, toolId: string, body: UpdateTool): Promise<Tool> {
	const row = await readOwnTool(ctx, toolId);
	assertFitsType(row, body);
	if (body.config) assertConfigAllowed(ctx, body.config);
	await assertIfMatch(ctx, toTool(row));
	const name = body.name ?? row.name;
	const content = changedContent(row, body);
	const contentHash = await hashContent(content);
	if (name === row.name && contentHash === row.contentHash && sameOrder(row, content)) return toTool(row);
	try {
		const sourceHash = await hashSource(content);
		return toTool(await writeChange(ctx, row, { name, contentHash, sourceHash, ...content }));
	} catch (error) {
		throw isUniqueViolation(error) ? nameConflict() : error;
	}
}

/** @throws ApiError VALIDATION_FAILED for a configuration of another type, and for fields that only code tools have. */
function assertFitsType({ toolType }: ToolRow, body: UpdateTool): void {
	const fields: FieldError[] = [];
	if (body.config && body.config.type !== toolType)
		fields.push({ path: "config.type", message: `Must be ${toolType}, the tool's type` });
	if (toolType !== "code") {
		const given = (["code_src", "declared_secrets", "dependencies"] as const).filter((key) => key in body);
		fields.push(...given.map((path) => ({ path, message: "Only tools of type code have this field" })));
	}
	const [first] = fields;
	if (first) throw new ApiError("VALIDATION_FAILED", `${first.path}: ${first.message}`, { fields });
}

const changedContent = (row: ToolRow, body: UpdateTool): ToolContent => ({
	toolType: row.toolType,
	description: body.description ?? row.description,
	config: body.config ?? row.config,
	argumentDefaults: body.argument_defaults ?? row.argumentDefaults,
	codeSrc: body.code_src ?? row.codeSrc,
	declaredSecrets: body.declared_secrets ?? row.declaredSecrets,
	dependencies: body.dependencies ?? row.dependencies,
});

/** Compares what the content hash ignores: the order and spelling of these lists, which are stored as given. */
const sameOrder = (row: ToolRow, content: ToolContent): boolean =>
	JSON.stringify([row.declaredSecrets, row.dependencies]) ===
	JSON.stringify([content.declaredSecrets, content.dependencies]);

function writeChange(
	ctx: Ctx,
	row: ToolRow,
	change: ToolContent & { name: string; contentHash: string; sourceHash: string | null },
): Promise<ToolRow> {
	const { organisationId, id, revision } = row;
	return writeTool(ctx, id, [
		assertUnchanged(ctx, row),
		ctx.db
			.update(tools)
			.set({
				...change,
				...(change.sourceHash !== row.sourceHash && buildOfOtherSource(change.sourceHash)),
				revision: revision + 1,
				// A published version may have this content already.
				contentVersion: sql`(select ${toolVersions.versionNumber} from ${toolVersions}
					where ${toolVersions.organisationId} = ${organisationId} and ${toolVersions.toolId} = ${id}
					and ${toolVersions.contentHash} = ${change.contentHash})`,
				updatedAt: ctx.clock().toISOString(),
			})
			.where(liveTool(ctx, id)),
		...replaceReferences(ctx, draftHolder(id), toolReferences("tool", change)),
		auditTool(
			ctx,
			"tool.update",
			{ id, name: change.name },
			{
				changed_fields: changedFields(row, change),
			},
		),
	]);
}

/** Returns the build state of another source: built if the last successful build was of it. A running build no longer counts. */
const buildOfOtherSource = (sourceHash: string | null) => ({
	...{ buildErrors: null, buildId: null, buildUntil: null },
	buildState: sql`case when ${tools.builtHash} = ${sourceHash} then 'built' else 'not_built' end`,
});

function changedFields(row: ToolRow, change: ToolContent & { name: string }): string[] {
	const fields = {
		name: "name",
		description: "description",
		config: "config",
		argument_defaults: "argumentDefaults",
		code_src: "codeSrc",
		declared_secrets: "declaredSecrets",
		dependencies: "dependencies",
	} as const;
	return Object.entries(fields)
		.filter(([, key]) => JSON.stringify(row[key]) !== JSON.stringify(change[key]))
		.map(([field]) => field);
}
