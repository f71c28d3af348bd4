import { ApiError, type FieldError } from "@parley/contracts/api-error";
import type { ToolConfig } from "@parley/contracts/tool-config";
import { type AddressRules, checkUrl } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import { egressRules } from "@parley/egress/egress-rules";
import { collectArgumentReferences } from "@parley/templates/references";
import { urlTemplateProblems } from "@parley/templates/render-url";
import { describe } from "@parley/templates/template-error";
import type { Ctx } from "../context.ts";
import { argumentSchema, type ToolContent } from "./tool-content.ts";

/**
 * Holds a configuration to the rules that its schema cannot say.
 * @throws ApiError VALIDATION_FAILED naming the URL.
 */
export function assertConfigAllowed(ctx: Ctx, config: ToolConfig): void {
	if (config.type !== "api_request") return;
	const messages = urlProblems(config.url, egressRules(ctx.env));
	const fields: FieldError[] = messages.map((message) => ({ path: "config.url", message }));
	if (fields.length > 0)
		throw new ApiError("VALIDATION_FAILED", `config.url: ${fields[0]?.message}`, { fields });
}

function urlProblems(url: string, rules: AddressRules): string[] {
	const problems = urlTemplateProblems(url);
	if (problems.length > 0) return problems.map(describe);
	try {
		checkUrl(url, rules);
		return [];
	} catch (error) {
		// Where an address leads is judged when it is called: the rules are the deployment's and may change.
		if (error instanceof EgressError) return error.code === "invalid_url" ? [error.message] : [];
		throw error;
	}
}

/**
 * What keeps a tool from working as it is configured; undefined when nothing does. Between edits a draft may be so.
 * @param introspected the arguments of the present source of a code tool; null while they are not known.
 */
export function configProblem(
	content: Pick<ToolContent, "config" | "argumentDefaults">,
	introspected: Record<string, unknown> | null,
): string | undefined {
	const { config, argumentDefaults } = content;
	const schema = argumentSchema(content, introspected);
	if (!schema) return undefined;
	const { properties = {}, additionalProperties } = schema;
	if (config.type === "code" && additionalProperties !== false) return undefined;
	if (config.type === "api_request") {
		const unknown = collectArgumentReferences(config.url).find(
			({ name }) => !Object.hasOwn(properties as object, name),
		);
		if (unknown) return `config.url: parameters has no property ${unknown.name}`;
		if (!config.strict || (additionalProperties !== undefined && additionalProperties !== false))
			return undefined;
	}
	const extra = Object.keys(argumentDefaults).find((name) => !Object.hasOwn(properties as object, name));
	return extra === undefined ? undefined : `argument_defaults.${extra}: the tool has no such argument`;
}
