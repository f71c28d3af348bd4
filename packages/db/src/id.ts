import { uuidv7 } from "uuidv7";

/** A new row id: UUIDv7 in canonical text form, so ids sort by time of creation. */
export const newId = (): string => uuidv7();

/** Returns the prefix of ids made at this time. Ids that are not less were made then or later. */
export function idPrefixAt(time: Date): string {
	const hex = time.getTime().toString(16).padStart(12, "0");
	return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
