import type { McpTransport } from "@parley/contracts/agents/mcp-servers";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { collectVaultReferences } from "@parley/templates/references";
import { renderHeader } from "@parley/templates/render";
import { renderUrl } from "@parley/templates/render-url";
import { TemplateError } from "@parley/templates/template-error";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import { ConnectFailure } from "./connect-failure.ts";

export type Vault = ReadonlyMap<string, OpenedEntry>;

/** Where a connection goes and what it brings: the one place where secrets are plain. */
export type Target = {
	url: URL;
	transport: McpTransport;
	headers: [string, string][];
	/** Names of headers that another host must not see after a redirect. */
	secretHeaders: string[];
};

/** Returns the name of every vault entry that a connection needs. */
export function vaultNamesOf({ url_template, auth, headers }: ServerConfig): string[] {
	const texts = [url_template, ...headers.flatMap((header) => ("value" in header ? header.value : []))];
	const secrets = [auth, ...headers].flatMap((each) => ("secret_name" in each ? each.secret_name : []));
	const named = texts.flatMap((text) => collectVaultReferences(text).map(({ name }) => name));
	return [...new Set([...named, ...secrets])];
}

/** @throws ConnectFailure `missing_vault_entry`, also for a value that no header can carry; or `blocked_address` when the values make no address. */
export function resolveTarget(config: ServerConfig, vault: Vault): Target {
	const values = Object.fromEntries(Array.from(vault, ([name, { value }]) => [name, value]));
	const headers: [string, string][] = [];
	const secretHeaders: string[] = [];
	const setSecret = (name: string, value: string): void => {
		headers.push([name, sendable(name, value)]);
		secretHeaders.push(name);
	};
	for (const header of config.headers) {
		if ("secret_name" in header) setSecret(header.name, secretOf(vault, header.secret_name));
		else if (collectVaultReferences(header.value).length > 0)
			setSecret(
				header.name,
				rendered(() => renderHeader(header.value, { vault: values }), "missing_vault_entry"),
			);
		else headers.push([header.name, header.value]);
	}
	const { auth } = config;
	if (auth.type === "bearer") setSecret("Authorization", `Bearer ${secretOf(vault, auth.secret_name)}`);
	if (auth.type === "header") setSecret(auth.header_name, secretOf(vault, auth.secret_name));
	const url = rendered(
		() => renderUrl(config.url_template, { vault: values }, { origin: "templated" }),
		"blocked_address",
	);
	return { url, transport: config.transport, headers, secretHeaders };
}

/** A template's errors name placeholders and never values. `unusable` is for a value that is there and cannot stand there. */
function rendered<T>(render: () => T, unusable: "missing_vault_entry" | "blocked_address"): T {
	try {
		return render();
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		const isMissing = error.missing.length > 0;
		throw new ConnectFailure(isMissing ? "missing_vault_entry" : unusable, error.message);
	}
}

function secretOf(vault: Vault, name: string): string {
	const entry = vault.get(name);
	if (entry?.kind === "secret") return entry.value;
	if (!entry) throw new ConnectFailure("missing_vault_entry", `No such secret: ${name}`);
	const advice = "Keep the value as a secret under another name and name that, or use a header with a value.";
	throw new ConnectFailure("missing_vault_entry", `${name} is a variable, not a secret`, { advice });
}

/** The runtime's own refusal would quote the value. */
function sendable(name: string, value: string): string {
	if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
	throw new ConnectFailure(
		"missing_vault_entry",
		`The value for the header ${name} cannot be sent in a header`,
	);
}
