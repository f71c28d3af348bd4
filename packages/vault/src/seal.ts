import { decrypt, encrypt } from "./aead.ts";
import type { DataKey } from "./keys.ts";
import { VaultError } from "./vault-error.ts";

/** Binding of a sealed value. A value moved from another entry or revision cannot be opened. */
export type EntryBinding = {
	organisationId: string;
	entryId: string;
	name: string;
	kind: "secret" | "variable";
	revision: number;
};

const SEAL_LABEL = "parley.vault.entry.v1";

/**
 * A value as it is stored: `v1.<data key id>.<base64url>`. The binding and the key id are authenticated with it.
 * @throws VaultError `value_not_text` when the value holds a lone surrogate, which UTF-8 cannot carry.
 */
export async function seal(dataKey: DataKey, value: string, binding: EntryBinding): Promise<string> {
	if (!value.isWellFormed()) throw new VaultError("value_not_text");
	const bytes = new TextEncoder().encode(value);
	return `v1.${dataKey.id}.${await encrypt(dataKey.key, bytes, boundValues(dataKey, binding))}`;
}

/**
 * The value that was sealed.
 * @throws VaultError `value_unreadable` when anything of text, key or binding differs from what it was sealed with.
 */
export async function open(dataKey: DataKey, sealed: string, binding: EntryBinding): Promise<string> {
	const prefix = `v1.${dataKey.id}.`;
	if (!sealed.startsWith(prefix)) throw new VaultError("value_unreadable");
	const bytes = await decrypt(dataKey.key, sealed.slice(prefix.length), boundValues(dataKey, binding));
	if (!bytes) throw new VaultError("value_unreadable");
	// A byte order mark at the start is part of the value.
	return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

const boundValues = (dataKey: DataKey, binding: EntryBinding): unknown[] => [
	SEAL_LABEL,
	dataKey.id,
	binding.organisationId,
	binding.entryId,
	binding.name,
	binding.kind,
	binding.revision,
];
