import type { CatalogModel } from "@parley/contracts/platform/catalog";
import { listLanguageModels } from "@parley/engines/language/language-models";
import { enginesOf } from "../engines.ts";

/** A model as its engine describes it, before region and organisation are known. */
export type OfferedModel = Omit<
	CatalogModel,
	"available_regions" | "region_details" | "pricing" | "personalised" | "available"
> & { pricing: { unit: "audio_second" | "character"; min_price: number } | null };

/** Lists the models that an environment's engines offer. */
export const offeredModels = (env: Env): OfferedModel[] => [
	...callableModels(env),
	...listLanguageModels(env.LANGUAGE_ENGINES).map((model) => ({
		...model,
		streaming: false,
		batch: true,
		is_default: false,
	})),
];

/** Lists the models that a request can name. Every speech model also works over WebSocket, where it gets windows of audio. */
export function callableModels(env: Env): OfferedModel[] {
	const { speech, voices } = enginesOf(env);
	return [
		...speech.models().map((model) => ({ ...model, streaming: true })),
		...voices.models().map((model) => ({ ...model, streaming: false, batch: false })),
	];
}
