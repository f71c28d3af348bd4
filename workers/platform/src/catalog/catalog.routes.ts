import { CatalogModel, CatalogPage, CatalogParams, CatalogQuery } from "@parley/contracts/catalog";
import { createPlatformRouter } from "../context.ts";
import { getModel, listModels } from "./catalog.service.ts";

export const catalogRoutes = createPlatformRouter();

catalogRoutes.route(
	{
		method: "get",
		path: "/v1/catalog/models",
		operationId: "listCatalogModels",
		summary: "List the models that this deployment offers, by code",
		description: "Open to everyone; with a key, price and availability are the organisation's.",
		tag: "Catalog",
		access: "open",
		query: CatalogQuery,
		response: CatalogPage,
	},
	({ ctx, query }) => listModels(ctx, query),
);

catalogRoutes.route(
	{
		method: "get",
		path: "/v1/catalog/models/{model_code+}",
		operationId: "getCatalogModel",
		summary: "A model of the catalog",
		description: "The code is the rest of the path, with its slashes and colons.",
		tag: "Catalog",
		access: "open",
		params: CatalogParams,
		response: CatalogModel,
		errors: ["MODEL_NOT_FOUND"],
	},
	({ ctx, params }) => getModel(ctx, params.model_code),
);
