import { z } from "zod";
import { pageOf, pageQuery } from "../shared/common.ts";
import { Region, WorldPart } from "./regions.ts";

export const ServiceType = z.enum(["speech_to_text", "text_to_speech", "audio_intelligence"]).meta({
	id: "ServiceType",
	description:
		"What the model does. `audio_intelligence` models make translations, summaries, sentiment, topics, chapters and audio events of batch jobs. Requests do not name them: a job gets the first one that offers what its `*_config` asks for.",
});
export type ServiceType = z.infer<typeof ServiceType>;

export const ModelCode = z
	.string()
	.min(1)
	.max(200)
	.describe("Code of the model, which may hold slashes and colons")
	.meta({ example: "parley/pocketsphinx-en-us" });

export const ModelPricing = z
	.object({
		unit: z.enum(["audio_second", "character"]).describe("What is paid for"),
		currency: z.literal("USD").describe("Currency of the prices"),
		min_price: z.number().min(0).describe("List price per unit").meta({ example: 0.0001 }),
		price: z
			.number()
			.min(0)
			.nullable()
			.describe("The organisation's price per unit; null without a key")
			.meta({ example: 0.0001 }),
	})
	.meta({ id: "ModelPricing" });
export type ModelPricing = z.infer<typeof ModelPricing>;

/** Model that this deployment offers. What differs between organisations is null without a key. */
export const CatalogModel = z
	.object({
		code: ModelCode,
		name: z.string().describe("Name of the model"),
		service_type: ServiceType,
		provider: z
			.object({
				code: z.string().describe("Code of the provider"),
				name: z.string().describe("Name of the provider"),
			})
			.describe("Who offers the model"),
		capabilities: z
			.array(z.string())
			.describe(
				"Features of the model. An `audio_intelligence` model lists the `*_config` that it serves, such as `summarization`, and options like `summarization.informative` where it offers only some.",
			)
			.meta({ example: ["word_times", "custom_vocabulary"] }),
		languages: z
			.array(z.string())
			.describe("ISO 639 codes of the languages that it knows, or `any`")
			.meta({ example: ["en"] }),
		streaming: z.boolean().describe("Whether it works over WebSocket"),
		batch: z.boolean().describe("Whether it works in batch jobs"),
		is_default: z.boolean().describe("Whether it is used when a request names no model"),
		available_regions: z.array(Region).describe("Regions of this deployment that offer it"),
		region_details: z
			.array(
				z.object({
					code: Region,
					name: z.string().describe("Name of the region"),
					world_part: WorldPart,
					available: z.boolean().describe("Whether the region offers the model"),
				}),
			)
			.describe("Every region of this deployment"),
		pricing: ModelPricing.nullable().describe("Prices; null when the deployment sets none"),
		personalised: z.boolean().describe("Whether price and availability are those of the key's organisation"),
		available: z.boolean().nullable().describe("Whether the organisation can use it now; null without a key"),
	})
	.meta({
		id: "CatalogModel",
		example: {
			...{
				code: "parley/pocketsphinx-en-us",
				name: "PocketSphinx US English",
				service_type: "speech_to_text",
			},
			provider: { code: "parley", name: "Parley" },
			...{ capabilities: ["word_times", "custom_vocabulary"], languages: ["en"] },
			...{ streaming: true, batch: true, is_default: true, available_regions: ["us-east"] },
			region_details: [{ code: "us-east", name: "US East (Virginia)", world_part: "na", available: true }],
			pricing: { unit: "audio_second", currency: "USD", min_price: 0.0001, price: 0.00008 },
			...{ personalised: true, available: true },
		},
	});
export type CatalogModel = z.infer<typeof CatalogModel>;

export const CatalogPage = pageOf(CatalogModel).meta({ id: "CatalogPage" });
export type CatalogPage = z.infer<typeof CatalogPage>;

const Text = z.string().min(1).max(200);

export const CatalogQuery = z.strictObject({
	...pageQuery(20, 100),
	service_type: ServiceType.optional().describe("Models that do this"),
	language: Text.optional()
		.describe("Models that know this language; `en-GB` counts as `en`")
		.meta({ example: "en" }),
	provider: Text.optional().describe("Models of the provider with this code").meta({ example: "parley" }),
	region: Region.optional().describe("Models that this region offers"),
	capability: z
		.array(Text)
		.max(20)
		.optional()
		.describe("Models with this capability. Repeat it to require several."),
	search: Text.optional().describe("Models whose code, name or provider contains this text"),
});
export type CatalogQuery = z.infer<typeof CatalogQuery>;

export const CatalogParams = z.object({ model_code: ModelCode });
