import type { CatalogModel, CatalogQuery } from "@parley/contracts/platform/catalog";

/** Whether a model meets every filter of a query. */
export function matchesQuery(model: CatalogModel, query: CatalogQuery): boolean {
	return (
		(query.service_type === undefined || model.service_type === query.service_type) &&
		(query.language === undefined || speaks(model, query.language)) &&
		(query.provider === undefined || model.provider.code === query.provider) &&
		(query.region === undefined || model.available_regions.includes(query.region)) &&
		(query.capability ?? []).every((capability) => model.capabilities.includes(capability)) &&
		(query.search === undefined || mentions(model, query.search))
	);
}

function speaks({ languages }: CatalogModel, language: string): boolean {
	const [base = ""] = language.toLowerCase().split("-", 1);
	return languages.includes("any") || languages.includes(base);
}

function mentions({ code, name, provider }: CatalogModel, search: string): boolean {
	const wanted = search.toLowerCase();
	return [code, name, provider.code, provider.name].some((text) => text.toLowerCase().includes(wanted));
}
