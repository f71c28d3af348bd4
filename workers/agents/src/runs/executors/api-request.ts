import { toHex } from "@parley/bytes/hex";
import type { ApiRequestConfig } from "@parley/contracts/agents/tool-config";
import type { EgressInput } from "@parley/egress/guarded-fetch";
import { collectArgumentReferences, collectVaultReferences } from "@parley/templates/references";
import { renderHeader } from "@parley/templates/render";
import { renderUrl } from "@parley/templates/render-url";
import { TemplateError } from "@parley/templates/template-error";
import { asText } from "@parley/templates/values";
import type { OpenedEntry } from "@parley/vault-entries/entries";
import { type Arguments, invalidArguments } from "../arguments.ts";
import { getSecretValue } from "../get-secret-value.ts";
import { RunFailure } from "../run-failure.ts";

export type ApiCall = {
	config: ApiRequestConfig;
	args: Arguments;
	/** Names of the arguments that a default filled. */
	defaulted: readonly string[];
	vault: ReadonlyMap<string, OpenedEntry>;
	/** Members of an envelope that describe the run. */
	toolName: string;
	runId: string;
	sentAt: string;
};

type Credentials = { headers: Headers; secretHeaders: string[] };

/**
 * Builds the request that a run sends.
 * @throws ApiError VALIDATION_FAILED for arguments that cannot be used in the URL; RunFailure for vault entries that cannot
 * be used.
 */
export async function buildRequest(call: ApiCall): Promise<EgressInput> {
	const { config } = call;
	const url = requestUrl(call);
	const hasBody = config.http_method !== "GET" && config.http_method !== "DELETE";
	const body = hasBody ? requestBody(call) : "";
	const { headers, secretHeaders } = await buildCredentials(call, body);
	if (hasBody && !headers.has("content-type")) headers.set("content-type", "application/json");
	return { url, method: config.http_method, headers, body: hasBody ? body : undefined, secretHeaders };
}

function requestUrl({ config, args, defaulted, vault }: ApiCall): URL {
	for (const { name } of collectVaultReferences(config.url))
		if (vault.get(name)?.kind === "secret")
			throw new RunFailure("SECRET_IN_URL", `config.url uses ${name}, which is a secret, not a variable`);
	const url = renderUrlOrThrow(config.url, { vault: plainValues(vault), arguments: args }, defaulted);
	if (config.http_method !== "GET" && config.http_method !== "DELETE") return url;
	const inUrl = new Set(collectArgumentReferences(config.url).map(({ name }) => name));
	const query = Object.entries(args)
		.filter(([name, value]) => !inUrl.has(name) && value !== undefined)
		.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(asText(value))}`);
	// URLSearchParams would also rewrite the query of the template.
	if (query.length > 0) url.search = [url.search.slice(1), ...query].filter(Boolean).join("&");
	return url;
}

/** Renders the URL. @throws ApiError VALIDATION_FAILED for an argument that is missing or would change the URL's structure. */
function renderUrlOrThrow(
	template: string,
	values: Parameters<typeof renderUrl>[1],
	defaulted: readonly string[],
): URL {
	try {
		return renderUrl(template, values);
	} catch (error) {
		if (!(error instanceof TemplateError)) throw error;
		const fields = error.problems.flatMap((problem) => {
			if (problem.kind === "missing" && !problem.token.startsWith("$"))
				return [{ path: problem.token, message: "Required by the URL" }];
			if (problem.kind === "unusable" && !problem.token.startsWith("$"))
				return [{ path: problem.token, message: "Cannot be used in the URL's path" }];
			return [];
		});
		throw fields.length > 0 ? invalidArguments(fields, defaulted) : error;
	}
}

const requestBody = ({ config, args, toolName, runId, sentAt }: ApiCall): string =>
	JSON.stringify(
		config.body_format === "raw"
			? args
			: { arguments: args, tool_name: toolName, run_id: runId, sent_at: sentAt },
	);

/** Builds the headers, and lists those that another host must not see. `auth` takes precedence over `headers`. */
async function buildCredentials({ config, vault }: ApiCall, body: string): Promise<Credentials> {
	const headers = new Headers({ accept: "application/json", "user-agent": "Parley/1.0" });
	const secretHeaders: string[] = [];
	const setSecret = (name: string, value: string): void => {
		headers.set(name, toHeaderValue(name, value));
		secretHeaders.push(name);
	};
	for (const header of config.headers) {
		if ("secret_name" in header) setSecret(header.name, getSecretValue(vault, header.secret_name));
		else if (collectVaultReferences(header.value).length > 0)
			setSecret(header.name, renderHeader(header.value, { vault: plainValues(vault) }));
		else headers.set(header.name, header.value);
	}
	const { auth } = config;
	switch (auth.type) {
		case "none":
			break;
		case "bearer":
			setSecret("authorization", `Bearer ${getSecretValue(vault, auth.secret_name)}`);
			break;
		case "header":
			setSecret(auth.header_name, getSecretValue(vault, auth.secret_name));
			break;
		case "hmac":
			setSecret("x-signature-256", `sha256=${await hmacHex(getSecretValue(vault, auth.secret_name), body)}`);
	}
	return { headers, secretHeaders };
}

/** Returns a value that can be sent in a header. Throws before the runtime does, because its error would quote the value. */
function toHeaderValue(name: string, value: string): string {
	if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
	throw new RunFailure("INVALID_HEADER", `The value for the header ${name} cannot be sent in a header`);
}

const plainValues = (vault: ReadonlyMap<string, OpenedEntry>): Record<string, string> =>
	Object.fromEntries(Array.from(vault, ([name, { value }]) => [name, value]));

async function hmacHex(secret: string, body: string): Promise<string> {
	const encoder = new TextEncoder();
	const algorithm = { name: "HMAC", hash: "SHA-256" };
	const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
	const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(body));
	return toHex(new Uint8Array(signature));
}
