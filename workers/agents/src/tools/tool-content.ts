import { labelledHash } from "@parley/canonical/hash";
import type { ToolConfig, ToolType } from "@parley/contracts/agents/tool-config";
import type { ArgumentDefaults } from "@parley/contracts/agents/tools";
import { canonicalPin } from "@parley/contracts/internal/python-rpc";
import { type Reference, referencesOf } from "../secrets/references.ts";

/** The content of a tool, which a version freezes. The name is not part of it. */
export type ToolContent = {
	toolType: ToolType;
	description: string;
	config: ToolConfig;
	argumentDefaults: ArgumentDefaults;
	codeSrc: string | null;
	declaredSecrets: string[];
	dependencies: string[];
};

/** Returns the hash that identifies a content, the same in every tool and organisation. */
export const hashContent = (content: ToolContent): Promise<string> =>
	labelledHash("parley.tool.v1", {
		tool_type: content.toolType,
		description: content.description,
		config: content.config,
		argument_defaults: content.argumentDefaults,
		...sourceOf(content),
	});

/** Returns the hash of the part that a build reads; null for tools that are not built. */
export const hashSource = async (content: ToolContent): Promise<string | null> =>
	content.toolType === "code" ? labelledHash("parley.tool.source.v1", sourceOf(content)) : null;

const sourceOf = (content: ToolContent) => ({
	code_src: content.codeSrc,
	declared_secrets: content.declaredSecrets.toSorted(),
	dependencies: content.dependencies.map(canonicalPin).toSorted(),
});

/** Argument schema of types that take no arguments. */
const NO_ARGUMENTS = { type: "object", properties: {}, additionalProperties: false };

/** Returns the schema of a tool's arguments; null for code whose arguments have not been read from the source yet. */
export function argumentSchema(
	content: Pick<ToolContent, "config">,
	introspected: Record<string, unknown> | null,
): Record<string, unknown> | null {
	switch (content.config.type) {
		case "code":
			return introspected;
		case "api_request":
			return content.config.parameters;
		default:
			return NO_ARGUMENTS;
	}
}

/** Returns the places where a tool refers to the vault. */
export const toolReferences = (
	type: "tool" | "tool_version",
	{ config, argumentDefaults, declaredSecrets }: ToolContent,
): Reference[] =>
	referencesOf({ type, config, argument_defaults: argumentDefaults, declared_secrets: declaredSecrets });

/** Returns the vault names that a tool uses outright, such as a `secret_name`. Only a secret satisfies these. */
export const secretNames = (content: ToolContent): string[] => namesWhere(content, isOutright);

/** Returns the vault names that a tool uses by a `{{$NAME}}`. A variable satisfies these, too. */
export const templateNames = (content: ToolContent): string[] =>
	namesWhere(content, (location) => !isOutright(location));

const isOutright = (location: string): boolean =>
	/^declared_secrets\.|^config\.type$|^config\..*\bsecret_name$/.test(location);

const namesWhere = (content: ToolContent, isWanted: (location: string) => boolean): string[] => {
	const references = toolReferences("tool", content).filter(({ location }) => isWanted(location));
	return [...new Set(references.map(({ name }) => name))];
};
