import type { CatalogModel } from "@parley/contracts/catalog";
import { enginesOf } from "../engines.ts";

/** A model as its engine describes it, before region and organisation are known. */
export type OfferedModel = Omit<
	CatalogModel,
	"available_regions" | "region_details" | "pricing" | "personalised" | "available"
> & { pricing: { unit: "audio_second" | "character"; min_price: number } | null };

/** The models that an environment's engines really offer. Every speech model is heard in windows over WebSocket too. */
export function offeredModels(env: Env): OfferedModel[] {
	const { speech, voices } = enginesOf(env);
	return [
		...speech.models().map((model) => ({ ...model, streaming: true })),
		...voices.models().map((model) => ({ ...model, streaming: false, batch: false })),
	];
}
