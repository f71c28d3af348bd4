import { type KekRing, parseKek } from "./keys.ts";

/** The setting is the same for the life of an isolate, so its keys are imported once. */
let ring: { setting: string; keys: KekRing } | undefined;

/** The keys of the setting VAULT_KEK. @throws VaultError `kek_invalid` */
export async function kekRing(setting: string): Promise<KekRing> {
	if (ring?.setting !== setting) ring = { setting, keys: await parseKek(setting) };
	return ring.keys;
}
