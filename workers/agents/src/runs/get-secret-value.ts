import type { OpenedEntry } from "@parley/vault-entries/entries";
import { RunFailure } from "./run-failure.ts";

/** Returns the value of a secret that a tool names. @throws RunFailure MISSING_VAULT_ENTRY, also for a variable. */
export function getSecretValue(vault: ReadonlyMap<string, OpenedEntry>, name: string): string {
	const entry = vault.get(name);
	if (entry?.kind === "secret") return entry.value;
	throw new RunFailure(
		"MISSING_VAULT_ENTRY",
		entry ? `${name} is a variable, not a secret` : `Secret not found: ${name}`,
	);
}
