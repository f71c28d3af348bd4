import type { VaultKind } from "@parley/contracts/agents/secrets";
import type { ToolConfig } from "@parley/contracts/agents/tool-config";
import { ApiError, type FieldError } from "@parley/contracts/shared/api-error";
import { type AddressRules, checkUrl } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import { egressRules } from "@parley/egress/egress-rules";
import {
	collectArgumentReferences,
	collectMalformedTokens,
	collectVaultReferences,
} from "@parley/templates/references";
import { urlTemplateProblems } from "@parley/templates/render-url";
import { describe } from "@parley/templates/template-error";
import type { Ctx } from "../../context.ts";
import { argumentSchema, type ToolContent, templateNames } from "../tool-content.ts";

/**
 * Checks the rules of a configuration that its schema cannot express.
 * @throws ApiError VALIDATION_FAILED naming the URL.
 */
export function assertConfigAllowed(ctx: Ctx, config: ToolConfig): void {
	if (config.type !== "api_request") return;
	const template = urlTemplateProblems(config.url).map(describe);
	const address = addressFault(config.url, egressRules(ctx.env));
	// The rules for addresses belong to the deployment and may change, so a refused address fails the gate `config_valid`.
	const messages = template.length > 0 ? template : address?.code === "invalid_url" ? [address.message] : [];
	const fields: FieldError[] = messages.map((message) => ({ path: "config.url", message }));
	if (fields.length > 0)
		throw new ApiError("VALIDATION_FAILED", `config.url: ${fields[0]?.message}`, { fields });
}

function addressFault(url: string, rules: AddressRules): EgressError | undefined {
	try {
		checkUrl(url, rules);
		return undefined;
	} catch (error) {
		if (error instanceof EgressError) return error;
		throw error;
	}
}

/** A configuration, with the facts outside its own text that decide whether it works. */
export type ConfigFacts = ToolContent & {
	/** Kinds of the existing vault entries that the tool names. */
	vaultKinds: Readonly<Record<string, VaultKind>>;
	addressRules: AddressRules;
};

/**
 * Returns the problems that keep a tool from working as configured. A draft may have them, but cannot be published with
 * them.
 * @param introspected arguments of the current source of a code tool; null while they are not known.
 */
export const configProblems = (
	facts: ConfigFacts,
	introspected: Record<string, unknown> | null,
): string[] => [
	...urlProblems(facts),
	...templateProblems(facts),
	...missingNames(facts),
	...argumentProblems(facts, introspected),
];

function urlProblems({ config, vaultKinds, addressRules }: ConfigFacts): string[] {
	if (config.type !== "api_request") return [];
	const address = addressFault(config.url, addressRules);
	const secrets = collectVaultReferences(config.url).filter(({ name }) => vaultKinds[name] === "secret");
	return [
		...(address ? [`config.url: ${address.message}`] : []),
		...secrets.map(({ name }) => `config.url: ${name} is a secret; a URL takes variables only`),
	];
}

/** Finds tokens that nothing fills: malformed ones, and arguments in places that take vault references only. */
function templateProblems({ config, argumentDefaults }: ConfigFacts): string[] {
	const { parameters, output_schema, ...templated } = config as Record<string, unknown>;
	const vaultOnly = {
		argument_defaults: argumentDefaults,
		...(config.type === "api_request" && { config: { headers: config.headers } }),
	};
	return [
		...collectMalformedTokens({ config: templated, argument_defaults: argumentDefaults }).map(
			({ token, location }) => `${dotted(location)}: ${token} is not a valid placeholder`,
		),
		...collectArgumentReferences(vaultOnly).map(
			({ name, location }) =>
				`${dotted(location)}: {{${name}}} is not a vault reference, the only placeholder allowed here`,
		),
	];
}

/** Returns a path as the API writes it: `config.headers.0.value`. */
const dotted = (location: string): string => location.replaceAll(/\[(\d+)\]/g, ".$1");

/** Finds missing vault names of types that do not report the gate `secrets_exist`. */
function missingNames(facts: ConfigFacts): string[] {
	if (facts.toolType === "code" || facts.toolType === "api_request") return [];
	const missing = templateNames(facts).filter((name) => facts.vaultKinds[name] === undefined);
	return missing.length > 0 ? [`Vault entry not found: ${missing.join(", ")}`] : [];
}

function argumentProblems(
	facts: Pick<ToolContent, "config" | "argumentDefaults">,
	introspected: Record<string, unknown> | null,
): string[] {
	const { config, argumentDefaults } = facts;
	const schema = argumentSchema(facts, introspected);
	if (!schema) return [];
	const { properties = {}, additionalProperties } = schema;
	const isUnknown = (name: string) => !Object.hasOwn(properties as object, name);
	const inUrl = config.type === "api_request" ? collectArgumentReferences(config.url) : [];
	const unknown = inUrl
		.filter(({ name }) => isUnknown(name))
		.map(({ name }) => `config.url: parameters has no property ${name}`);
	const isOpen =
		config.type === "api_request"
			? !config.strict || (additionalProperties !== undefined && additionalProperties !== false)
			: config.type === "code" && additionalProperties !== false;
	const extra = isOpen ? [] : Object.keys(argumentDefaults).filter(isUnknown);
	return [...unknown, ...extra.map((name) => `argument_defaults.${name}: the tool has no such argument`)];
}
