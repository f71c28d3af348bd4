import { fromCanonicalBase64Url, toBase64Url } from "@parley/bytes/base64";
import { toHex } from "@parley/bytes/hex";

/** A person of an organisation. */
export type Person = { organisationId: string; userId: string };

const UUID_BYTES = 16;

/** Returns the name of a person in tokens: both ids in 43 characters. */
export const toSubject = ({ organisationId, userId }: Person): string =>
	toBase64Url(Uint8Array.from([...uuidBytes(organisationId), ...uuidBytes(userId)]));

/** Returns the person that a subject names; undefined for any other text. */
export function fromSubject(subject: string): Person | undefined {
	const bytes = fromCanonicalBase64Url(subject);
	if (bytes?.length !== 2 * UUID_BYTES) return undefined;
	return {
		organisationId: toUuid(bytes.subarray(0, UUID_BYTES)),
		userId: toUuid(bytes.subarray(UUID_BYTES)),
	};
}

const uuidBytes = (uuid: string): number[] =>
	(uuid.replaceAll("-", "").match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16));

const toUuid = (bytes: Uint8Array): string =>
	toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
