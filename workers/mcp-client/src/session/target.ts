import type { McpTransport } from "@parley/contracts/agents/mcp-servers";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { collectVaultReferences } from "@parley/templates/references";
import { renderHeader } from "@parley/templates/render";
import { renderUrl } from "@parley/templates/render-url";
import { TemplateError } from "@parley/templates/template-error";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import { ConnectFailure } from "./connect-failure.ts";

export type Vault = ReadonlyMap<string, OpenedEntry>;

/** Address and headers of a connection. Holds secrets in plain text. */
export type Target = {
	url: URL;
	transport: McpTransport;
	headers: [string, string][];
	/** Names of headers that are not sent to another host after a redirect. */
	secretHeaders: string[];
};

/** Returns the name of every vault entry that a connection needs. */
export function vaultNamesOf({ url_template, auth, headers }: ServerConfig): string[] {
	const texts = [url_template, ...headers.flatMap((header) => ("value" in header ? header.value : []))];
	const secrets = [auth, ...headers].flatMap((each) => ("secret_name" in each ? each.secret_name : []));
	const named = texts.flatMap((text) => collectVaultReferences(text).map(({ name }) => name));
	return [...new Set([...named, ...secrets])];
}

/**
 * Fills a configuration with the vault's values.
 * @throws ConnectFailure `missing_vault_entry` if an entry is missing or its value cannot be sent in a header;
 * `blocked_address` if the values do not make a valid address.
 */
export function resolveTarget(config: ServerConfig, vault: Vault): Target {
	const values = Object.fromEntries(Array.from(vault, ([name, { value }]) => [name, value]));
	const headers: [string, string][] = [];
	const secretHeaders: string[] = [];
	const setSecret = (name: string, value: string): void => {
		headers.push([name, toHeaderValue(name, value)]);
		secretHeaders.push(name);
	};
	for (const header of config.headers) {
		if ("secret_name" in header) setSecret(header.name, getSecret(vault, header.secret_name));
		else if (collectVaultReferences(header.value).length > 0)
			setSecret(
				header.name,
				renderOrFail(() => renderHeader(header.value, { vault: values }), "missing_vault_entry"),
			);
		else headers.push([header.name, header.value]);
	}
	const { auth } = config;
	if (auth.type === "bearer") setSecret("Authorization", `Bearer ${getSecret(vault, auth.secret_name)}`);
	if (auth.type === "header") setSecret(auth.header_name, getSecret(vault, auth.secret_name));
	const url = renderOrFail(
		() => renderUrl(config.url_template, { vault: values }, { origin: "templated" }),
		"blocked_address",
	);
	return { url, transport: config.transport, headers, secretHeaders };
}

/**
 * Renders a template and converts its errors, which name placeholders but never values.
 * @param unusable code for a value that exists but cannot be used in this place
 */
function renderOrFail<T>(render: () => T, unusable: "missing_vault_entry" | "blocked_address"): T {
	try {
		return render();
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		const isMissing = error.missing.length > 0;
		throw new ConnectFailure(isMissing ? "missing_vault_entry" : unusable, error.message);
	}
}

function getSecret(vault: Vault, name: string): string {
	const entry = vault.get(name);
	if (entry?.kind === "secret") return entry.value;
	if (!entry) throw new ConnectFailure("missing_vault_entry", `No such secret: ${name}`);
	const advice =
		"Store the value as a secret under another name and use that name, or use a header with `value`.";
	throw new ConnectFailure("missing_vault_entry", `${name} is a variable, not a secret`, { advice });
}

/** Returns a value that can be sent in a header. Throws before the runtime does, because its error would quote the value. */
function toHeaderValue(name: string, value: string): string {
	if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
	throw new ConnectFailure(
		"missing_vault_entry",
		`The value for the header ${name} cannot be sent in a header`,
	);
}
