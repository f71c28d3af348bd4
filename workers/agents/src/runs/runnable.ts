import type { ToolConfig } from "@parley/contracts/agents/tool-config";
import type { FrozenDependency } from "@parley/contracts/internal/python-rpc";
import { notFound } from "@parley/contracts/shared/api-error";
import { ofTool, toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { egressRules } from "@parley/egress/egress-rules";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import type { Ctx } from "../context.ts";
import { introspectedSchema } from "../tools/builds/build-record.ts";
import type { GateFacts } from "../tools/gates/gates.ts";
import { argumentSchema, type ToolContent } from "../tools/tool-content.ts";
import { liveVersion, type ToolRow } from "../tools/tool-row.ts";

type Schema = Record<string, unknown>;

/** What a run needs of a tool: its draft, or one of its published versions. */
export type Runnable = ToolContent & {
	organisationId: string;
	id: string;
	name: string;
	contentHash: string;
	/** Null for the draft. */
	versionNumber: number | null;
	argumentSchema: Schema;
	/** What the output is compared with; for code what the return annotation says goes before the configuration. */
	outputSchema: Schema | null;
	frozenDeps: FrozenDependency[];
	/** Of the build that a draft of code runs with. */
	builtAt: string | null;
};

export const draftOf = (row: ToolRow): Runnable => ({
	...row,
	versionNumber: null,
	argumentSchema: argumentSchema(row, introspectedSchema(row)) ?? {},
	outputSchema: outputSchema(row.config, row.outputSchema),
	frozenDeps: row.frozenDeps ?? [],
});

/** A published version as it was, whatever became of the draft. @throws ApiError RESOURCE_NOT_FOUND */
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
	const { snapshot, ...version } = found.version;
	const { name, description, tool_type: toolType, config } = snapshot;
	return {
		...version,
		...{ id: toolId, name, description, toolType, config, builtAt: null },
		argumentDefaults: snapshot.argument_defaults,
		argumentSchema: snapshot.argument_schema,
		outputSchema: outputSchema(config, version.outputSchema),
	};
}

/** What the gates judge a published version by: it was built and proven, or it would not have been published. */
export const publishedFacts = (
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
