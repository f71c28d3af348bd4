import { z } from "zod";
import { pageOf, pageQuery } from "./common.ts";
import { Region, WorldPart } from "./regions.ts";

export const ServiceType = z.enum(["speech_to_text", "text_to_speech", "audio_intelligence"]).meta({
	id: "ServiceType",
	description:
		"`audio_intelligence` models make translations, summaries, sentiment, topics, chapters and audio events of batch jobs. No request names them: a job gets the first one that offers what its `*_config` asks for",
});
export type ServiceType = z.infer<typeof ServiceType>;

const ModelCode = z.string().min(1).max(200).meta({ example: "parley/pocketsphinx-en-us" });

export const ModelPricing = z
	.object({
		unit: z.enum(["audio_second", "character"]),
		currency: z.literal("USD"),
		min_price: z.number().min(0).meta({ description: "List price of a unit", example: 0.0001 }),
		price: z
			.number()
			.min(0)
			.nullable()
			.meta({ description: "The organisation's price of a unit; null without a key", example: 0.0001 }),
	})
	.meta({ id: "ModelPricing" });
export type ModelPricing = z.infer<typeof ModelPricing>;

/** A model that this deployment offers. What is personal is null without a key. */
export const CatalogModel = z
	.object({
		code: ModelCode,
		name: z.string(),
		service_type: ServiceType,
		provider: z.object({ code: z.string(), name: z.string() }),
		capabilities: z.array(z.string()).meta({
			description:
				"Features of the model. Of `audio_intelligence` models the names of the `*_config` that they serve, such as `summarization`, with `summarization.informative` and the like where some options of a feature are offered",
			example: ["word_times", "custom_vocabulary"],
		}),
		languages: z.array(z.string()).meta({ description: "ISO 639 codes, or `any`", example: ["en"] }),
		streaming: z.boolean().meta({ description: "Usable over WebSocket" }),
		batch: z.boolean().meta({ description: "Usable in batch jobs" }),
		is_default: z.boolean().meta({ description: "Used where no model is named" }),
		available_regions: z.array(Region),
		region_details: z.array(
			z.object({ code: Region, name: z.string(), world_part: WorldPart, available: z.boolean() }),
		),
		pricing: ModelPricing.nullable(),
		personalised: z
			.boolean()
			.meta({ description: "Whether price and availability are the key's organisation's" }),
		available: z
			.boolean()
			.nullable()
			.meta({ description: "Whether the organisation can use it now; null without a key" }),
	})
	.meta({ id: "CatalogModel" });
export type CatalogModel = z.infer<typeof CatalogModel>;

export const CatalogPage = pageOf(CatalogModel).meta({ id: "CatalogPage" });
export type CatalogPage = z.infer<typeof CatalogPage>;

const Text = z.string().min(1).max(200);

export const CatalogQuery = z.strictObject({
	...pageQuery(20, 100),
	service_type: ServiceType.optional(),
	language: Text.optional().meta({
		description: "Models that know it; `en-GB` counts as `en`",
		example: "en",
	}),
	provider: Text.optional().meta({ description: "Code of the provider", example: "parley" }),
	region: Region.optional(),
	capability: z.array(Text).max(20).optional().meta({ description: "Repeatable; every one is needed" }),
	search: Text.optional().meta({ description: "Part of the code, the name or the provider's name" }),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;

export const CatalogParams = z.object({ model_code: ModelCode });
