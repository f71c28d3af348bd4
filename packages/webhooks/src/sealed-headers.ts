import { splitAuthHeader } from "@parley/contracts/batch/webhooks";
import { type EntryBinding, open, seal } from "@parley/vault/seal";
import { organisationKey, type SealingContext } from "@parley/vault-entries/organisation-key";

/** Which notification of which job the headers belong to: sealed for one they open for no other. */
export type HeadersOwner = { organisationId: string; jobId: string; position: number };

const bindingOf = ({ organisationId, jobId, position }: HeadersOwner): EntryBinding => ({
	organisationId,
	entryId: jobId,
	name: `notification_config.${position}.auth_headers`,
	kind: "secret",
	revision: 1,
});

/** `Name: value` lines as they are stored; null when there are none. */
export async function sealHeaders(
	ctx: SealingContext,
	owner: HeadersOwner,
	headers: readonly string[],
): Promise<string | null> {
	if (headers.length === 0) return null;
	const key = await organisationKey(ctx, owner.organisationId);
	return seal(key, JSON.stringify(headers), bindingOf(owner));
}

/** The headers again; what comes back from where they are sent has to be scrubbed of their values. */
export async function openHeaders(
	ctx: SealingContext,
	owner: HeadersOwner & { sealedHeaders: string | null },
): Promise<{ name: string; value: string }[]> {
	if (owner.sealedHeaders === null) return [];
	const key = await organisationKey(ctx, owner.organisationId);
	const headers: string[] = JSON.parse(await open(key, owner.sealedHeaders, bindingOf(owner)));
	return headers.map(splitAuthHeader);
}
