import { CatalogModel, CatalogPage, CatalogParams, CatalogQuery } from "@parley/contracts/platform/catalog";
import { createPlatformRouter } from "../context.ts";
import { getModel, listModels } from "./catalog.service.ts";

export const catalogRoutes = createPlatformRouter();

catalogRoutes.route(
	{
		method: "get",
		path: "/v1/catalog/models",
		operationId: "listCatalogModels",
		summary: "List models",
		description:
			"Returns the models that this deployment offers, in order of their code. No key is needed. With a key, prices and availability are those of its organisation.",
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
		summary: "Get a model",
		description:
			"Returns one model of the catalog. The code is the rest of the path and may hold slashes and colons. No key is needed.",
		tag: "Catalog",
		access: "open",
		params: CatalogParams,
		response: CatalogModel,
		errors: ["MODEL_NOT_FOUND"],
	},
	({ ctx, params }) => getModel(ctx, params.model_code),
);
