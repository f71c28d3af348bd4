import type {
	CatalogModel,
	CatalogPage,
	CatalogQuery,
	ModelPricing,
} from "@parley/contracts/platform/catalog";
import { REGION_FACTS, type Region } from "@parley/contracts/platform/regions";
import { notFound } from "@parley/contracts/shared/api-error";
import { pageMeta } from "@parley/contracts/shared/common";
import { organisations } from "@parley/db/platform/organisations";
import { eq } from "drizzle-orm";
import type { Ctx, OpenCtx } from "../context.ts";
import { deploymentOf, regionalEnv } from "../regions/deployment.ts";
import { matchesQuery } from "./catalog-filter.ts";
import { type OfferedModel, offeredModels } from "./offered-models.ts";

/** Price factor of an organisation, and whether it may use paid models. */
type Terms = { priceFactor: number; mayUse: boolean };
type Offer = { region: Region; models: OfferedModel[] };

export async function listModels(ctx: OpenCtx, query: CatalogQuery): Promise<CatalogPage> {
	const models = (await readCatalog(ctx)).filter((model) => matchesQuery(model, query));
	const start = (query.page - 1) * query.page_size;
	return {
		items: models.slice(start, start + query.page_size),
		meta: pageMeta(query.page, query.page_size, models.length),
	};
}

/** @throws ApiError MODEL_NOT_FOUND */
export async function getModel(ctx: OpenCtx, code: string): Promise<CatalogModel> {
	const model = (await readCatalog(ctx)).find((one) => one.code === code);
	if (!model) throw notFound("Model", code, "MODEL_NOT_FOUND");
	return model;
}

/** Every model of every deployed region, by code, as the caller sees it. */
export async function readCatalog(ctx: OpenCtx): Promise<CatalogModel[]> {
	const offers = deploymentOf(ctx.home).regions.map(
		(region): Offer => ({ region, models: offeredModels(regionalEnv(ctx.home, region)) }),
	);
	const terms = ctx.actor && (await readTerms(ctx, ctx.actor));
	const byCode = new Map(offers.flatMap(({ models }) => models.map((model) => [model.code, model] as const)));
	return [...byCode.values()]
		.sort((a, b) => (a.code < b.code ? -1 : 1))
		.map((model) => toCatalogModel(model, offers, ctx.region, terms));
}

function toCatalogModel(
	model: OfferedModel,
	offers: Offer[],
	region: Region,
	terms: Terms | undefined,
): CatalogModel {
	const details = offers.map((offer) => ({
		code: offer.region,
		name: REGION_FACTS[offer.region].name,
		world_part: REGION_FACTS[offer.region].worldPart,
		available: offer.models.some(({ code }) => code === model.code),
	}));
	const regions = details.filter(({ available }) => available).map(({ code }) => code);
	return {
		...model,
		available_regions: regions,
		region_details: details,
		pricing: model.pricing && toPricing(model.pricing, terms),
		personalised: terms !== undefined,
		available: terms ? terms.mayUse && regions.includes(region) : null,
	};
}

export type Price = { unit: ModelPricing["unit"]; price: number };

/** Returns what the caller's organisation pays for each model of the deployment that has a price, by the model's code. */
export function readPrices(ctx: Ctx): Map<string, Price> {
	const factor = priceFactor(ctx, ctx.actor.organisation.tier);
	const models = deploymentOf(ctx.home).regions.flatMap((region) =>
		offeredModels(regionalEnv(ctx.home, region)),
	);
	return new Map(
		models.flatMap(({ code, pricing }) =>
			pricing ? [[code, { unit: pricing.unit, price: pricing.min_price * factor }]] : [],
		),
	);
}

/** Returns what a tier pays of the list price. */
function priceFactor({ home }: Pick<Ctx, "home">, tier: string): number {
	const factors = JSON.parse(home.TIER_PRICE_FACTORS || "{}") as Record<string, number>;
	return factors[tier] ?? 1;
}

const toPricing = (list: NonNullable<OfferedModel["pricing"]>, terms: Terms | undefined): ModelPricing => ({
	unit: list.unit,
	currency: "USD",
	min_price: list.min_price,
	price: terms ? list.min_price * terms.priceFactor : null,
});

async function readTerms(ctx: OpenCtx, actor: Ctx["actor"]): Promise<Terms> {
	const { id, tier } = actor.organisation;
	const [row] = await ctx.db
		.select({ creditSeconds: organisations.creditSeconds })
		.from(organisations)
		.where(eq(organisations.id, id));
	const hasCredit = !row || row.creditSeconds === null || row.creditSeconds > 0;
	return { priceFactor: priceFactor(ctx, tier), mayUse: hasCredit };
}
