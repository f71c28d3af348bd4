import type { ToolType } from "@parley/contracts/tool-config";
import type { ToolSnapshot } from "@parley/contracts/tools";
import { toolVersions } from "@parley/db/tool-versions";
import { tools } from "@parley/db/tools";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

export type Pin = { tool_id: string; version: number };

/** A published version of a tool that is not deleted, as attachments need it. */
export type PinnedVersion = {
	toolId: string;
	toolName: string;
	toolType: ToolType;
	versionNumber: number;
	contentHash: string;
	declaredSecrets: string[];
	snapshot: ToolSnapshot;
};

export const pinKey = ({ tool_id, version }: Pin): string => `${tool_id} ${version}`;

/** The versions that exist among `pins`, by `pinKey`. */
export async function findPinnedVersions(
	ctx: Ctx,
	pins: readonly Pin[],
): Promise<Map<string, PinnedVersion>> {
	if (pins.length === 0) return new Map();
	const rows = await ctx.db
		.select({
			toolId: tools.id,
			toolName: tools.name,
			toolType: tools.toolType,
			versionNumber: toolVersions.versionNumber,
			contentHash: toolVersions.contentHash,
			declaredSecrets: toolVersions.declaredSecrets,
			snapshot: toolVersions.snapshot,
		})
		.from(toolVersions)
		.innerJoin(
			tools,
			and(eq(tools.organisationId, toolVersions.organisationId), eq(tools.id, toolVersions.toolId)),
		)
		.where(
			and(
				eq(toolVersions.organisationId, ctx.actor.organisation.id),
				isNull(tools.deletedAt),
				sql`(${toolVersions.toolId}, ${toolVersions.versionNumber}) in (
					select value ->> 'tool_id', value ->> 'version' from json_each(${pinsJson(pins)}))`,
			),
		);
	return new Map(rows.map((row) => [pinKey({ tool_id: row.toolId, version: row.versionNumber }), row]));
}

/** The condition that every pin is a published version of a live tool, for an assertion in the batch that writes them. */
export const pinsExist = (ctx: Ctx, pins: readonly Pin[]): SQL => sql`not exists (
	select 1 from json_each(${pinsJson(pins)}) pin where not exists (
		select 1 from ${tools} join ${toolVersions}
			on ${toolVersions.organisationId} = ${tools.organisationId} and ${toolVersions.toolId} = ${tools.id}
		where ${tools.organisationId} = ${ctx.actor.organisation.id} and ${tools.deletedAt} is null
			and ${tools.id} = pin.value ->> 'tool_id' and ${toolVersions.versionNumber} = pin.value ->> 'version'))`;

const pinsJson = (pins: readonly Pin[]): string =>
	JSON.stringify([
		...new Map(pins.map((pin) => [pinKey(pin), { tool_id: pin.tool_id, version: pin.version }])).values(),
	]);
