import type { OpenedEntry } from "@parley/vault-entries/entries";
import { RunFailure } from "./run-failure.ts";

/** The value of a secret that a tool names outright. @throws RunFailure MISSING_VAULT_ENTRY, for a variable too. */
export function secretOf(vault: ReadonlyMap<string, OpenedEntry>, name: string): string {
	const entry = vault.get(name);
	if (entry?.kind === "secret") return entry.value;
	throw new RunFailure(
		"MISSING_VAULT_ENTRY",
		entry ? `${name} is a variable, not a secret` : `Secret not found: ${name}`,
	);
}
