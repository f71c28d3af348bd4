import { ApiError, type FieldError } from "@parley/contracts/shared/api-error";
import { type AddressRules, checkUrl } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { collectArgumentReferences, collectMalformedTokens } from "@parley/templates/references";
import { urlTemplateProblems } from "@parley/templates/render-url";
import { describe } from "@parley/templates/template-error";

/**
 * Checks the rules of a configuration that its schema cannot express. A host that comes from the vault, and whether the vault
 * entries exist, can only be checked when connecting.
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
	const withoutVault = collectArgumentReferences(template).map(({ name }) => notAVaultReference(name));
	if (problems.length + withoutVault.length > 0) return [...problems, ...withoutVault];
	const origin = /^[^/]*\/\/[^/?#]*/.exec(template)?.[0] ?? template;
	// An address that begins with a vault value cannot be checked before that value is known.
	if (template.startsWith("{{")) return [];
	try {
		// An unknown host may be loopback, for which http is allowed, too.
		checkUrl(
			template.replaceAll(/(\{\{[^}]*\}\})+/g, (_, _name, at: number) =>
				template[at - 1] === ":" ? "1" : "localhost",
			),
			rules,
		);
		return [];
	} catch (error) {
		if (!(error instanceof EgressError)) throw error;
		// A placeholder in the host may still make it a public address.
		return error.code === "invalid_url" || !origin.includes("{{") ? [error.message] : [];
	}
}

function headerProblems({ auth, headers }: ServerConfig): FieldError[] {
	const own =
		auth.type === "bearer" ? "authorization" : auth.type === "header" ? auth.header_name.toLowerCase() : "";
	return headers.flatMap((header, i): FieldError[] => {
		if (header.name.toLowerCase() === own)
			return [{ path: `headers.${i}.name`, message: "Already set by auth" }];
		if (!("value" in header)) return [];
		const wrong = [
			...collectArgumentReferences(header.value).map(({ name }) => notAVaultReference(name)),
			...collectMalformedTokens(header.value).map(({ token }) => `${token} is not a valid placeholder`),
		];
		return wrong.map((message) => ({ path: `headers.${i}.value`, message }));
	});
}

const notAVaultReference = (name: string): string =>
	`{{${name}}} is not a vault reference, the only placeholder allowed here`;
