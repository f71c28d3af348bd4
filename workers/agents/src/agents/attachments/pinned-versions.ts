import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import { ofTool, toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { settledBuild } from "../../tools/builds/build-record.ts";
import { curatedSnapshot, findCurated } from "../../tools/curated-tools.ts";
import { hashContent } from "../../tools/tool-content.ts";

export type Pin = { tool_id: string; version: number };

/** Published version of a live tool, with the members that attachments need. */
export type PinnedVersion = {
	toolId: string;
	versionNumber: number;
	contentHash: string;
	declaredSecrets: string[];
	snapshot: ToolSnapshot;
	/** Version that equals the tool's current draft, and the state of that draft's build. */
	contentVersion: number | null;
	buildState: (typeof tools.$inferSelect)["buildState"];
};

export const pinKey = ({ tool_id, version }: Pin): string => `${tool_id} ${version}`;

/** Returns the pinned versions that exist, by `pinKey`, including those of curated tools. */
export async function findPinnedVersions(
	ctx: Ctx,
	pins: readonly Pin[],
): Promise<Map<string, PinnedVersion>> {
	const curated = await Promise.all(pins.map(curatedVersion));
	const own = pins.filter(isOwn);
	const stored = own.length > 0 ? await readVersions(ctx, own) : [];
	const found = [...stored, ...curated.filter((version) => version !== undefined)];
	return new Map(
		found.map((version) => [pinKey({ tool_id: version.toolId, version: version.versionNumber }), version]),
	);
}

/** Matches if every pin is a published version of a live tool, for an assertion in the batch that writes them. */
export const pinsExist = (ctx: Ctx, pins: readonly Pin[]): SQL => sql`not exists (
	select 1 from json_each(${pinsJson(pins.filter(isOwn))}) pin where not exists (
		select 1 from ${tools} join ${toolVersions} on ${ofTool}
		where ${tools.organisationId} = ${ctx.actor.organisation.id} and ${tools.deletedAt} is null
			and ${tools.id} = pin.value ->> 'tool_id' and ${toolVersions.versionNumber} = pin.value ->> 'version'))`;

const isOwn = (pin: Pin): boolean => !findCurated(pin.tool_id);

async function curatedVersion({ tool_id, version }: Pin): Promise<PinnedVersion | undefined> {
	const tool = findCurated(tool_id);
	if (!tool || version !== 1) return undefined;
	return {
		...{ toolId: tool.id, versionNumber: 1, contentHash: await hashContent(tool) },
		...{ declaredSecrets: tool.declaredSecrets, snapshot: curatedSnapshot(tool) },
		...{ contentVersion: 1, buildState: null },
	};
}

async function readVersions(ctx: Ctx, pins: readonly Pin[]): Promise<PinnedVersion[]> {
	const rows = await ctx.db
		.select({
			toolId: tools.id,
			versionNumber: toolVersions.versionNumber,
			contentHash: toolVersions.contentHash,
			declaredSecrets: toolVersions.declaredSecrets,
			snapshot: toolVersions.snapshot,
			contentVersion: tools.contentVersion,
			...{ buildState: tools.buildState, buildUntil: tools.buildUntil, buildErrors: tools.buildErrors },
		})
		.from(toolVersions)
		.innerJoin(tools, ofTool)
		.where(
			and(
				eq(toolVersions.organisationId, ctx.actor.organisation.id),
				isNull(tools.deletedAt),
				sql`(${toolVersions.toolId}, ${toolVersions.versionNumber}) in (
					select value ->> 'tool_id', value ->> 'version' from json_each(${pinsJson(pins)}))`,
			),
		);
	return rows.map(({ buildUntil, buildErrors, ...version }) => ({
		...version,
		buildState: settledBuild({ ...version, buildUntil, buildErrors }, ctx.clock()).buildState,
	}));
}

const pinsJson = (pins: readonly Pin[]): string => {
	const distinct = new Map(pins.map((pin) => [pinKey(pin), pin]));
	return JSON.stringify([...distinct.values()].map(({ tool_id, version }) => ({ tool_id, version })));
};
