import { REGIONS, Region } from "@parley/contracts/platform/regions";
import { z } from "zod";
import type { Deployment } from "./choose-region.ts";

/** Bindings and settings that another region may have of its own; each names where in the environment it is found. */
const Bindings = z
	.strictObject({
		AGENTS: z.string(),
		BATCH: z.string(),
		MEDIA: z.string(),
		SPEECH_ENGINES: z.string(),
		DEFAULT_MODEL: z.string(),
		VOICE_ENGINES: z.string(),
		LANGUAGE_ENGINES: z.string(),
	})
	.partial();

const RegionSettings = z
	.array(z.strictObject({ code: Region, bindings: Bindings.default({}) }))
	.min(1)
	.refine((list) => new Set(list.map(({ code }) => code)).size === list.length, "names a region twice");
type RegionSettings = z.infer<typeof RegionSettings>;

const HOME_ALONE: RegionSettings = [{ code: REGIONS[0], bindings: {} }];

// Settings do not change while an isolate lives.
let parsed: { text: string; settings: RegionSettings } | undefined;

function regionSettings({ REGIONS: text }: Pick<Env, "REGIONS">): RegionSettings {
	if (parsed?.text !== text) {
		const settings = text.trim() ? RegionSettings.parse(JSON.parse(text)) : HOME_ALONE;
		parsed = { text, settings };
	}
	return parsed.settings;
}

/** Which regions this deployment serves: those of the setting `REGIONS`, the home region first; without it one. */
export function deploymentOf(env: Pick<Env, "REGIONS" | "BASE_HOST">): Deployment {
	const [home, ...others] = regionSettings(env).map(({ code }) => code);
	return { regions: [home ?? REGIONS[0], ...others], baseHost: env.BASE_HOST || undefined };
}

/** The environment as a region has it: its own workers, bucket and engines where it has any, else the shared ones. */
export function regionalEnv(env: Env, region: Region): Env {
	const bindings = regionSettings(env).find(({ code }) => code === region)?.bindings ?? {};
	const names = Object.entries(bindings);
	if (names.length === 0) return env;
	const all = env as unknown as Record<string, unknown>;
	return { ...env, ...Object.fromEntries(names.map(([name, source]) => [name, all[source]])) };
}
