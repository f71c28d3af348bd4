import type { VaultKind } from "@parley/contracts/agents/secrets";
import { type Classification, type HolderType, vaultEntries, vaultReferences } from "@parley/db/agents/vault";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Ctx } from "../context.ts";
import type { Reference } from "./reference-locations.ts";

export { type Reference, referencesOf } from "./reference-locations.ts";

export type Holder = {
	type: HolderType;
	id: string;
	/** `active`: a live agent that is active, a live MCP server. `draft`: a tool, an inactive agent. `historical`: versions. */
	classification: Classification;
};

/**
 * Statements that make the index say exactly `references` of a holder, for the batch that writes the holder itself.
 * A deleted holder has none.
 */
export function replaceReferences(
	ctx: Ctx,
	holder: Holder,
	references: readonly Reference[],
): BatchItem<"sqlite">[] {
	const organisationId = ctx.actor.organisation.id;
	const forget = ctx.db
		.delete(vaultReferences)
		.where(
			and(
				eq(vaultReferences.organisationId, organisationId),
				eq(vaultReferences.holderType, holder.type),
				eq(vaultReferences.holderId, holder.id),
			),
		);
	return references.length === 0 ? [forget] : [forget, addReferences(ctx, holder, references)];
}

/** The same for a holder that is new, such as a version: it has no references yet, so one statement is enough. */
export function addReferences(
	ctx: Ctx,
	holder: Holder,
	references: readonly Reference[],
): BatchItem<"sqlite"> {
	// One statement whatever the number of references: rows of six columns would pass D1's 100 parameters at the 17th.
	// Drizzle batches its builders only, so the row comes from an insert of a select, in the order of the table's columns.
	return ctx.db.insert(vaultReferences).select(sql`
		select ${ctx.actor.organisation.id}, value ->> 'name', ${holder.type}, ${holder.id}, value ->> 'location',
			${holder.classification}
		from json_each(${JSON.stringify(references)})`);
}

/** Which of the referenced names exist, with their kind. */
export async function findVaultNames(
	ctx: Ctx,
	references: readonly Reference[],
): Promise<Map<string, VaultKind>> {
	if (references.length === 0) return new Map();
	const rows = await ctx.db
		.select({ name: vaultEntries.name, kind: vaultEntries.kind })
		.from(vaultEntries)
		.where(
			and(
				eq(vaultEntries.organisationId, ctx.actor.organisation.id),
				sql`${vaultEntries.name} in (select value from json_each(${namesJson(references)}))`,
			),
		);
	return new Map(rows.map(({ name, kind }) => [name, kind]));
}

/** The condition that every referenced name exists, for an assertion in the batch that writes the holder. */
export const vaultNamesExist = (ctx: Ctx, references: readonly Reference[]): SQL => sql`not exists (
	select 1 from json_each(${namesJson(references)}) where value not in (
		select ${vaultEntries.name} from ${vaultEntries}
		where ${vaultEntries.organisationId} = ${ctx.actor.organisation.id}))`;

const namesJson = (references: readonly Reference[]): string =>
	JSON.stringify([...new Set(references.map(({ name }) => name))]);
