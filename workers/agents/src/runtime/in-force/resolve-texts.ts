import type { AgentConfig } from "@parley/contracts/agents/agents";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { parseTemplate } from "@parley/templates/parse";
import { collectVaultReferences } from "@parley/templates/references";
import { asText } from "@parley/templates/values";
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

	/** Defaults may name variables and the vault, but no other defaults. */
	const render = (key: K, template: string, isDefault = false): string =>
		parseTemplate(template)
			.map((part) => {
				if (!("name" in part)) return part.raw;
				if (part.kind === "vault") {
					const value = vault.get(part.name);
					if (value === undefined) unreadable.add(part.name);
					return value ?? part.raw;
				}
				if (Object.hasOwn(variables, part.name)) return asText(variables[part.name]);
				const value = !isDefault && Object.hasOwn(defaults, part.name) ? defaults[part.name] : undefined;
				if (value !== undefined) return typeof value === "string" ? render(key, value, true) : asText(value);
				const users = missing.get(part.name) ?? [];
				missing.set(part.name, users.includes(key) ? users : [...users, key]);
				return part.raw;
			})
			.join("");

	const texts = Object.fromEntries(
		(Object.entries(templates) as [K, string][]).map(([key, template]) => [key, render(key, template)]),
	) as Record<K, string>;
	return { texts, missing, unreadable: [...unreadable] };
}
