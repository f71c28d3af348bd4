import type { AgentConfig } from "@parley/contracts/agents/agents";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import { parseTemplate } from "@parley/templates/parse";
import { collectVaultReferences } from "@parley/templates/references";
import { asText, MAX_RENDERED_LENGTH, RenderedLength } from "@parley/templates/values";
import { openVariables } from "@parley/vault-entries/entries";
import type { Ctx } from "../../context.ts";

export type ResolvedTexts<K extends string> = {
	texts: Record<K, string>;
	/** Variables without a value, each with the texts that use it. Their placeholders stay as they are. */
	missing: Map<string, K[]>;
	/** Vault entries that are secrets, or gone. Their placeholders stay as they are. */
	unreadable: string[];
};

/**
 * Resolves the placeholders of texts that people and models see. A variable comes before the agent's default of its name. A
 * secret of the vault is never inserted: whoever may open a session could read it.
 * @throws ApiError VALIDATION_FAILED if the texts become too long
 */
export async function resolveTexts<K extends string>(
	ctx: Ctx,
	{ template_defaults: defaults }: Pick<AgentConfig, "template_defaults">,
	templates: Record<K, string>,
	variables: RuntimeVariables,
): Promise<ResolvedTexts<K>> {
	const names = collectVaultReferences([Object.values(templates), defaults]).map(({ name }) => name);
	const vault = await openVariables(ctx, names);
	const missing = new Map<string, K[]>();
	const unreadable = new Set<string>();
	const length = new RenderedLength();
	const sized = (text: string): string => {
		if (length.hasRoomFor(text.length)) return text;
		throw tooLong();
	};

	/** Defaults may name variables and the vault, but no other defaults. */
	const render = (key: K, template: string, isDefault = false): string =>
		parseTemplate(template)
			.map((part) => {
				if (!("name" in part)) return sized(part.raw);
				if (part.kind === "vault") {
					const value = vault.get(part.name);
					if (value === undefined) unreadable.add(part.name);
					return sized(value ?? part.raw);
				}
				if (Object.hasOwn(variables, part.name)) return sized(asText(variables[part.name]));
				const value = !isDefault && Object.hasOwn(defaults, part.name) ? defaults[part.name] : undefined;
				if (value !== undefined)
					return typeof value === "string" ? render(key, value, true) : sized(asText(value));
				const users = missing.get(part.name) ?? [];
				missing.set(part.name, users.includes(key) ? users : [...users, key]);
				return sized(part.raw);
			})
			.join("");

	const texts = Object.fromEntries(
		(Object.entries(templates) as [K, string][]).map(([key, template]) => [key, render(key, template)]),
	) as Record<K, string>;
	return { texts, missing, unreadable: [...unreadable] };
}

function tooLong(): ApiError {
	const message = `With these values the agent's texts are longer than ${MAX_RENDERED_LENGTH} characters: give shorter ones`;
	return new ApiError("VALIDATION_FAILED", `variables: ${message}`, {
		fields: [{ path: "variables", message }],
	});
}
