import type { OpenAiModel, OpenAiModelList } from "@parley/contracts/platform/speech";
import { notFound } from "@parley/contracts/shared/api-error";
import { callableModels, type OfferedModel } from "../catalog/offered-models.ts";
import type { Ctx } from "../context.ts";

export const listOpenAiModels = (ctx: Ctx): OpenAiModelList => ({
	object: "list",
	data: callableModels(ctx.env).map(toOpenAiModel),
});

/** @throws ApiError MODEL_NOT_FOUND */
export function getOpenAiModel(ctx: Ctx, code: string): OpenAiModel {
	const model = callableModels(ctx.env).find((one) => one.code === code);
	if (!model) throw notFound("Model", code, "MODEL_NOT_FOUND");
	return toOpenAiModel(model);
}

/** Engines do not say when a model was made; OpenAI's own clients only want a number there. */
const toOpenAiModel = ({ code, provider }: OfferedModel): OpenAiModel => ({
	id: code,
	object: "model",
	created: 0,
	owned_by: provider.code,
});
