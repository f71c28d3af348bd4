import type { Key } from "@parley/contracts/platform/keys";
import type { Scope } from "@parley/contracts/shared/scopes";
import { createTexts, SCOPE_GROUPS } from "./texts.ts";

export type Preset = keyof typeof createTexts.presets;

export const ALL_SCOPES: readonly Scope[] = SCOPE_GROUPS.flatMap(({ scopes }) =>
	scopes.map(([scope]) => scope),
);
export const BATCH_SCOPES: readonly Scope[] = ["batch:read", "batch:write"];

/** Scopes of each preset. `custom` begins with none. */
export const PRESETS: Record<Preset, readonly Scope[]> = {
	full: ALL_SCOPES.filter((scope) => scope !== "keys:manage"),
	read: ["tools:read", "agents:read", "mcp:read", "batch:read", "audit:read"],
	transcription: ["batch:read", "batch:write", "speech:use"],
	building: ALL_SCOPES.filter((scope) => /^(tools|agents|runtime|mcp):/.test(scope)),
	custom: [],
};

/** Describes what a key may do in two or three words: a preset's name, else their number. */
export function describeAccess({ family, scopes }: Pick<Key, "family" | "scopes">): string {
	const held = new Set(scopes);
	if (family === "agent") return createTexts.agentAccess;
	if (family === "batch") return createTexts.batchPresets[held.has("batch:write") ? "full" : "read"];
	if (ALL_SCOPES.every((scope) => held.has(scope))) return createTexts.everything;
	const preset = (Object.keys(PRESETS) as Preset[]).find(
		(name) => PRESETS[name].length === held.size && PRESETS[name].every((scope) => held.has(scope)),
	);
	return preset && preset !== "custom" ? createTexts.presets[preset] : createTexts.chosen(held.size);
}
