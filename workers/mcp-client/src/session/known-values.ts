import { KEYWORDS, TYPES } from "@parley/json-schema/keywords";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { parseTemplate } from "@parley/templates/parse";
import type { Vault } from "./target.ts";

/** Shorter paths and query values are ordinary words, such as `/mcp`. */
const MIN_PART = 8;
/** A single segment says nothing by itself unless it is as long as a token. */
const MIN_SEGMENT = 16;

/**
 * The words that tool schemas are made of. To redact one of them would break every schema, and tell nobody anything: the
 * value cannot be told from the protocol's own text.
 */
const WORDS: ReadonlySet<string> = new Set(
	[
		...KEYWORDS.keys(),
		...TYPES,
		...["title", "description", "default", "examples", "definitions", "deprecated", "readOnly", "writeOnly"],
	].map((word) => word.toLowerCase()),
);

/**
 * What is to be scrubbed from all that a connection brings back: the vault's values, and the parts of those that the address
 * begins with or that stand in its host (a host without its port, a path without its query).
 */
export function valuesToScrub({ url_template }: Pick<ServerConfig, "url_template">, vault: Vault): string[] {
	const values = Array.from(vault.values(), ({ value }) => value);
	let before = "";
	for (const part of parseTemplate(url_template)) {
		const value = part.kind === "vault" ? vault.get(part.name)?.value : undefined;
		if (value !== undefined && before === "") values.push(...partsOfUrl(value));
		else if (value !== undefined && isWithinOrigin(before)) values.push(hostOf(value));
		before += part.raw;
	}
	return values.filter((value) => !WORDS.has(value.toLowerCase()));
}

const isWithinOrigin = (before: string): boolean => /^[^/\\?#]*(\/\/[^/\\?#]*)?$/.test(before);

function partsOfUrl(value: string): string[] {
	const url = URL.parse(value);
	if (!url) return [];
	const { hostname, pathname, search, searchParams } = url;
	return [
		hostname,
		...[pathname, search, ...searchParams.values()].filter(({ length }) => length >= MIN_PART),
		...pathname.split("/").filter(({ length }) => length >= MIN_SEGMENT),
	];
}

const hostOf = (value: string): string => URL.parse(`https://${value}`)?.hostname ?? "";
