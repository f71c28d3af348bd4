// The secrets that a deployment uploads with each worker.
import type { Settings } from "./configs.ts";

export type SecretsOf = {
	worker: string;
	needed: string[];
	/** Names of the secrets that the deployed worker has. Nobody can read their values back. */
	held: string[];
};

/**
 * Decides what to upload: what the environment gives, and the vault's key of a first deployment. A secret that a worker has is
 * kept.
 * @param makeVaultKey makes the one key for every worker
 * @returns name and value of the secrets to upload, by worker.
 * @throws Error naming a secret that the environment must give.
 */
export function planSecrets(
	workers: SecretsOf[],
	settings: Settings,
	makeVaultKey: () => string,
): Record<string, Settings> {
	const isVaultOpen = workers.some(({ held }) => held.includes("VAULT_KEK"));
	let made: string | undefined;
	const obtain = (worker: string, name: string): string => {
		if (name !== "VAULT_KEK") throw new Error(`Set ${name} in the environment or in .env`);
		if (isVaultOpen)
			throw new Error(
				`Set VAULT_KEK in the environment or in .env: ${worker} needs the key that other workers of this deployment have, and it cannot be read back from them`,
			);
		made ??= makeVaultKey();
		return made;
	};
	return Object.fromEntries(
		workers.map(({ worker, needed, held }) => {
			const uploaded = needed.filter((name) => settings[name] || !held.includes(name));
			return [
				worker,
				Object.fromEntries(uploaded.map((name) => [name, settings[name] || obtain(worker, name)])),
			];
		}),
	);
}
