import type { AgentConfig } from "@parley/contracts/agents/agents";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { collectArgumentReferences, collectVaultReferences } from "@parley/templates/references";
import { renderJson, renderText } from "@parley/templates/render";
import { TemplateError } from "@parley/templates/template-error";
import type { TemplateValues } from "@parley/templates/values";
import type { OpenedVault } from "../../../runs/attempt-run.ts";
import { CallFailure } from "./call-failure.ts";

type Defaults = AgentConfig["template_defaults"];

/** Templates of one call, and what their `{{name}}` placeholders stand for. */
export type CallTemplates = {
	/** JSON value whose strings are templates. */
	templates: unknown;
	/** Values that the session or the request gives. They come before the agent's defaults. */
	variables: RuntimeVariables;
	defaults: Defaults;
};

/** Returns the names of the vault entries that templates refer to, also by the agent's defaults that they use. */
export function vaultNamesInTemplates({ templates, ...given }: CallTemplates): string[] {
	const used = usedDefaults(templates, given);
	return collectVaultReferences([templates, used]).map(({ name }) => name);
}

/**
 * Returns what the placeholders of templates stand for.
 * @throws CallFailure MISSING_VAULT_ENTRY for a default that needs an entry that does not exist
 */
export function templateValuesOf(
	{ templates, variables, defaults }: CallTemplates,
	{ values }: Pick<OpenedVault, "values">,
): TemplateValues {
	const used = usedDefaults(templates, { variables, defaults });
	const rendered = Object.entries(used).map(([name, value]) => [
		name,
		typeof value === "string"
			? renderOrFail(() => renderText(value, { vault: values, arguments: variables }))
			: value,
	]);
	return { vault: values, arguments: { ...Object.fromEntries(rendered), ...variables } };
}

/** Renders a JSON value. @throws CallFailure MISSING_VARIABLE, MISSING_VAULT_ENTRY, INVALID_TEMPLATE */
export const renderValues = <T>(templates: T, values: TemplateValues): T =>
	renderOrFail(() => renderJson(templates, values) as T);

/** Renders a text. @throws CallFailure MISSING_VARIABLE, MISSING_VAULT_ENTRY */
export const renderTextOrFail = (template: string, values: TemplateValues): string =>
	renderOrFail(() => renderText(template, values));

/** Returns the agent's defaults that templates use and no variable replaces. */
function usedDefaults(
	templates: unknown,
	{ variables, defaults }: Pick<CallTemplates, "variables" | "defaults">,
): Defaults {
	const names = new Set(
		stringsIn(templates).flatMap((text) => collectArgumentReferences(text).map(({ name }) => name)),
	);
	return Object.fromEntries(
		Object.entries(defaults).filter(([name]) => names.has(name) && !Object.hasOwn(variables, name)),
	);
}

function stringsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function renderOrFail<T>(render: () => T): T {
	try {
		return render();
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		const entries = error.missing.filter((token) => token.startsWith("$")).map((token) => token.slice(1));
		if (entries.length > 0)
			throw new CallFailure("MISSING_VAULT_ENTRY", `Vault entry not found: ${entries.join(", ")}`);
		if (error.missing.length === 0) throw error;
		const names = error.missing.join(", ");
		throw new CallFailure(
			"MISSING_VARIABLE",
			`No value for the variable ${names}: give it to the session, or add it to the agent's template_defaults`,
		);
	}
}
