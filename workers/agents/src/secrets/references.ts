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
	/** `active`: an active agent or an MCP server. `draft`: a tool's draft or an inactive agent. `historical`: a version. */
	classification: Classification;
};

/**
 * Returns the statements that replace a holder's references in the index, for the batch that writes the holder. For a deleted
 * holder, pass no references.
 */
export function replaceReferences(
	ctx: Ctx,
	holder: Holder,
	references: readonly Reference[],
): BatchItem<"sqlite">[] {
	const organisationId = ctx.actor.organisation.id;
	const deletePrevious = ctx.db
		.delete(vaultReferences)
		.where(
			and(
				eq(vaultReferences.organisationId, organisationId),
				eq(vaultReferences.holderType, holder.type),
				eq(vaultReferences.holderId, holder.id),
			),
		);
	return references.length === 0
		? [deletePrevious]
		: [deletePrevious, addReferences(ctx, holder, references)];
}

/** Returns the statement that adds the references of a new holder, such as a version. */
export function addReferences(
	ctx: Ctx,
	holder: Holder,
	references: readonly Reference[],
): BatchItem<"sqlite"> {
	// A single statement for any number of references: 17 rows of six columns would already exceed D1's 100 parameters.
	// Drizzle batches only its own builders, so this is an insert from a select, in the order of the table's columns.
	return ctx.db.insert(vaultReferences).select(sql`
		select ${ctx.actor.organisation.id}, value ->> 'name', ${holder.type}, ${holder.id}, value ->> 'location',
			${holder.classification}
		from json_each(${JSON.stringify(references)})`);
}

/** Returns the referenced names that exist, with their kinds. */
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

/** Matches if every referenced name exists, for an assertion in the batch that writes the holder. */
export const vaultNamesExist = (ctx: Ctx, references: readonly Reference[]): SQL => sql`not exists (
	select 1 from json_each(${namesJson(references)}) where value not in (
		select ${vaultEntries.name} from ${vaultEntries}
		where ${vaultEntries.organisationId} = ${ctx.actor.organisation.id}))`;

const namesJson = (references: readonly Reference[]): string =>
	JSON.stringify([...new Set(references.map(({ name }) => name))]);
