import type { ToolType } from "@parley/contracts/agents/tool-config";
import type { CreateTool, Tool } from "@parley/contracts/agents/tools";
import { ApiError } from "@parley/contracts/shared/api-error";
import { tools } from "@parley/db/agents/tools";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { and, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { addReferences } from "../secrets/references.ts";
import { readTool } from "./find-tool.ts";
import { assertConfigAllowed } from "./gates/config-rules.ts";
import { hashContent, hashSource, type ToolContent, toolReferences } from "./tool-content.ts";
import { type ToolRow, toTool } from "./tool-row.ts";
import { auditTool, draftHolder, nameConflict, type Statement, writeTool } from "./write-tool.ts";

/** Types of which an organisation has one instance at most. Creating another returns the existing one. */
const SINGLETONS: ReadonlySet<ToolType> = new Set(["send_sms", "transfer_call", "end_call"]);
/** Types that are made by duplicating a curated tool, unless the organisation may create them. */
const CURATED_ONLY: ReadonlySet<ToolType> = new Set([
	"voicemail_detection",
	"current_datetime",
	"user_phone_number",
]);

/** Creates a tool. @throws ApiError VALIDATION_FAILED, TOOL_TYPE_NOT_CREATABLE, FEATURE_DISABLED, TOOL_NAME_CONFLICT */
export async function createTool(ctx: Ctx, body: CreateTool): Promise<Tool> {
	assertConfigAllowed(ctx, body.config);
	const { features } = ctx.actor.organisation;
	if (CURATED_ONLY.has(body.tool_type) && features.curated_types_creatable !== true)
		throw new ApiError(
			"TOOL_TYPE_NOT_CREATABLE",
			`Tools of type ${body.tool_type} are curated: duplicate the curated tool`,
		);
	assertTypeEnabled(ctx, body.tool_type);
	const code = body.tool_type === "code" ? body : undefined;
	const content: ToolContent = {
		toolType: body.tool_type,
		description: body.description,
		config: body.config,
		argumentDefaults: body.argument_defaults,
		codeSrc: code ? code.code_src : null,
		declaredSecrets: code ? code.declared_secrets : [],
		dependencies: code ? code.dependencies : [],
	};
	return toTool(await insertTool(ctx, body.name, content, "tool.create"));
}

/** @throws ApiError FEATURE_DISABLED when the organisation has no code tools. */
export function assertTypeEnabled(ctx: Ctx, type: ToolType): void {
	if (type === "code" && ctx.actor.organisation.features.code_tools === false)
		throw new ApiError("FEATURE_DISABLED", "Code tools are switched off for this organisation");
}

/** Results of a successful build. */
export type SuccessfulBuild = Pick<
	ToolRow,
	"builtHash" | "builtAt" | "frozenDeps" | "argSchema" | "outputSchema"
>;

/**
 * Inserts a tool, or returns the existing one of a singleton type.
 * @param build successful build of the same source, if there is one.
 * @throws ApiError TOOL_NAME_CONFLICT
 */
export async function insertTool(
	ctx: Ctx,
	name: string,
	content: ToolContent,
	action: `tool.${string}`,
	build?: SuccessfulBuild,
): Promise<ToolRow> {
	const existing = await findSingleton(ctx, content.toolType);
	if (existing) return existing;
	const id = newId();
	try {
		return await writeTool(ctx, id, await insertStatements(ctx, { id, name }, content, action, build));
	} catch (error) {
		if (!isUniqueViolation(error)) throw error;
		// Either the name is taken, or another request has created the one instance meanwhile.
		const other = await findSingleton(ctx, content.toolType);
		if (other) return other;
		throw nameConflict();
	}
}

async function findSingleton(ctx: Ctx, toolType: ToolType): Promise<ToolRow | undefined> {
	if (!SINGLETONS.has(toolType)) return undefined;
	const [found] = await ctx.db
		.select({ id: tools.id })
		.from(tools)
		.where(
			and(
				eq(tools.organisationId, ctx.actor.organisation.id),
				eq(tools.toolType, toolType),
				isNull(tools.deletedAt),
			),
		);
	return found && readTool(ctx, found.id);
}

async function insertStatements(
	ctx: Ctx,
	tool: { id: string; name: string },
	content: ToolContent,
	action: `tool.${string}`,
	build: SuccessfulBuild | undefined,
): Promise<[Statement, ...Statement[]]> {
	const now = ctx.clock().toISOString();
	return [
		ctx.db.insert(tools).values({
			...content,
			...tool,
			organisationId: ctx.actor.organisation.id,
			revision: 1,
			contentHash: await hashContent(content),
			sourceHash: await hashSource(content),
			buildState: content.toolType === "code" ? "not_built" : null,
			...(build && { ...build, buildState: "built" }),
			createdBy: ctx.actor.id,
			createdAt: now,
			updatedAt: now,
		}),
		addReferences(ctx, draftHolder(tool.id), toolReferences("tool", content)),
		auditTool(ctx, action, tool, { tool_type: content.toolType }),
	];
}
