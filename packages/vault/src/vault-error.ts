/** The ways the vault fails. The list is closed, and no text holds a value, a key or an entry's name. */
const VAULT_ERRORS = {
	kek_invalid: "VAULT_KEK is not a list of different names with a key of 32 bytes each in base64",
	kek_unknown: "The data key is wrapped by a key that VAULT_KEK does not hold",
	data_key_unreadable: "The data key does not belong to this organisation or was changed",
	value_unreadable: "The sealed value does not belong to this entry or was changed",
	value_not_text: "The value is not well-formed text",
} as const satisfies Record<string, string>;

export type VaultErrorCode = keyof typeof VAULT_ERRORS;

export class VaultError extends Error {
	override readonly name = "VaultError";
	readonly code: VaultErrorCode;

	constructor(code: VaultErrorCode) {
		super(VAULT_ERRORS[code]);
		this.code = code;
	}
}
