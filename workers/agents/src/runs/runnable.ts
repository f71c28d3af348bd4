import type { ToolConfig } from "@parley/contracts/agents/tool-config";
import type { FrozenDependency } from "@parley/contracts/internal/python-rpc";
import { notFound } from "@parley/contracts/shared/api-error";
import { ofTool, toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { egressRules } from "@parley/egress/egress-rules";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import type { Ctx } from "../context.ts";
import { introspectedSchema } from "../tools/builds/build-record.ts";
import type { CuratedTool } from "../tools/curated-tools.ts";
import type { GateFacts } from "../tools/gates/gates.ts";
import { argumentSchema, hashContent, type ToolContent } from "../tools/tool-content.ts";
import { liveVersion, type ToolRow } from "../tools/tool-row.ts";

type Schema = Record<string, unknown>;

/** Everything that a run needs of a tool's draft or of a published version. */
export type Runnable = ToolContent & {
	organisationId: string;
	id: string;
	name: string;
	contentHash: string;
	/** Number of the version; null for the draft. */
	versionNumber: number | null;
	argumentSchema: Schema;
	/** Schema that the output is compared with. For code, the return annotation takes precedence over the configuration. */
	outputSchema: Schema | null;
	frozenDeps: FrozenDependency[];
	/** Time of the build that a code draft runs with. */
	builtAt: string | null;
};

/** Returns a tool's draft in runnable form. */
export const draftOf = (row: ToolRow): Runnable => ({
	...row,
	versionNumber: null,
	argumentSchema: argumentSchema(row, introspectedSchema(row)) ?? {},
	outputSchema: outputSchema(row.config, row.outputSchema),
	frozenDeps: row.frozenDeps ?? [],
});

/** Returns a published version in runnable form. @throws ApiError RESOURCE_NOT_FOUND */
export async function readRunnableVersion(
	ctx: Ctx,
	toolId: string,
	versionNumber: number,
): Promise<Runnable> {
	const [found] = await ctx.db
		.select({ version: toolVersions })
		.from(toolVersions)
		.innerJoin(tools, ofTool)
		.where(liveVersion(ctx, toolId, versionNumber));
	if (!found) throw notFound("Tool version", versionNumber);
	return toRunnableVersion(found.version);
}

/** Returns the row of a published version in runnable form. */
export function toRunnableVersion({ snapshot, ...version }: typeof toolVersions.$inferSelect): Runnable {
	const { name, description, tool_type: toolType, config } = snapshot;
	return {
		...version,
		...{ id: version.toolId, name, description, toolType, config, builtAt: null },
		argumentDefaults: snapshot.argument_defaults,
		argumentSchema: snapshot.argument_schema,
		outputSchema: outputSchema(config, version.outputSchema),
	};
}

/** Returns the only version of a curated tool in runnable form. */
export const curatedRunnable = async (ctx: Ctx, tool: CuratedTool): Promise<Runnable> => ({
	...tool,
	...{ organisationId: ctx.actor.organisation.id, contentHash: await hashContent(tool) },
	...{ versionNumber: 1, builtAt: null },
	...{ argumentSchema: argumentSchema(tool, null) ?? {}, outputSchema: null, frozenDeps: [] },
});

/** Returns the gate facts of a published version. It counts as built and proven, because publication requires both. */
export const versionGateFacts = (
	ctx: Ctx,
	version: Runnable,
	vault: ReadonlyMap<string, Pick<OpenedEntry, "kind">>,
): GateFacts => ({
	...version,
	provenHash: version.contentHash,
	buildState: version.toolType === "code" ? "built" : null,
	...{ buildErrors: null, buildUntil: null, builtHash: version.contentHash, sourceHash: version.contentHash },
	argSchema: version.argumentSchema,
	vaultKinds: Object.fromEntries(Array.from(vault, ([name, { kind }]) => [name, kind])),
	addressRules: egressRules(ctx.env),
});

function outputSchema(config: ToolConfig, introspected: Schema | null): Schema | null {
	if (config.type === "code") return introspected ?? config.output_schema;
	return config.type === "api_request" ? config.output_schema : null;
}
