import { ApiError, type FieldError } from "@parley/contracts/shared/api-error";
import { type AddressRules, checkUrl } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { collectArgumentReferences, collectMalformedTokens } from "@parley/templates/references";
import { urlTemplateProblems } from "@parley/templates/render-url";
import { describe } from "@parley/templates/template-error";

/**
 * Holds a configuration to the rules that its schema cannot say. Where an address leads whose
 * host comes from the vault, and whether the vault has what it names, is judged at connection time.
 * @throws ApiError VALIDATION_FAILED
 */
export function assertServerAllowed(config: ServerConfig, rules: AddressRules): void {
	const fields = [
		...urlProblems(config.url_template, rules).map((message) => ({ path: "url_template", message })),
		...headerProblems(config),
	];
	const [first] = fields;
	if (first) throw new ApiError("VALIDATION_FAILED", `${first.path}: ${first.message}`, { fields });
}

function urlProblems(template: string, rules: AddressRules): string[] {
	const problems = urlTemplateProblems(template, { origin: "templated" }).map(describe);
	const withoutVault = collectArgumentReferences(template).map(({ name }) => noArguments(name));
	if (problems.length + withoutVault.length > 0) return [...problems, ...withoutVault];
	const origin = /^[^/]*\/\/[^/?#]*/.exec(template)?.[0] ?? template;
	// An address that begins with a value of the vault says nothing before that value is known.
	if (template.startsWith("{{")) return [];
	try {
		// A host that is not known yet may turn out to be loopback, to which http leads as well.
		checkUrl(
			template.replaceAll(/(\{\{[^}]*\}\})+/g, (_, _name, at: number) =>
				template[at - 1] === ":" ? "1" : "localhost",
			),
			rules,
		);
		return [];
	} catch (error) {
		if (!(error instanceof EgressError)) throw error;
		// What a placeholder in the host becomes may make a public address of it.
		return error.code === "invalid_url" || !origin.includes("{{") ? [error.message] : [];
	}
}

function headerProblems({ auth, headers }: ServerConfig): FieldError[] {
	const own =
		auth.type === "bearer" ? "authorization" : auth.type === "header" ? auth.header_name.toLowerCase() : "";
	return headers.flatMap((header, i): FieldError[] => {
		if (header.name.toLowerCase() === own)
			return [{ path: `headers.${i}.name`, message: "Set by auth already" }];
		if (!("value" in header)) return [];
		const wrong = [
			...collectArgumentReferences(header.value).map(({ name }) => noArguments(name)),
			...collectMalformedTokens(header.value).map(({ token }) => `${token} is no placeholder`),
		];
		return wrong.map((message) => ({ path: `headers.${i}.value`, message }));
	});
}

const noArguments = (name: string): string =>
	`{{${name}}} is no vault reference: a connection has no arguments`;
