import { KEYWORDS, TYPES } from "@parley/json-schema/keywords";
import type { ServerConfig } from "@parley/mcp-servers/server-row";
import { parseTemplate } from "@parley/templates/parse";
import type { Vault } from "./target.ts";

/** Minimum length of a path or query value to scrub. Shorter ones are ordinary words, such as `/mcp`. */
const MIN_PART_CHARS = 8;
/** Minimum length of a single path segment to scrub: that of a token. */
const MIN_SEGMENT_CHARS = 16;

/**
 * Words that tool schemas are made of. They are not scrubbed: redacting them would break every schema, and a value that
 * equals one of them reveals nothing.
 */
const SCHEMA_WORDS: ReadonlySet<string> = new Set(
	[
		...KEYWORDS.keys(),
		...TYPES,
		...["title", "description", "default", "examples", "definitions", "deprecated", "readOnly", "writeOnly"],
	].map((word) => word.toLowerCase()),
);

/**
 * Returns the values to scrub from everything that a connection returns: the vault's values, and the parts of those that
 * form the address's beginning or its host (a host without its port, a path without its query).
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
	return values.filter((value) => !SCHEMA_WORDS.has(value.toLowerCase()));
}

const isWithinOrigin = (before: string): boolean => /^[^/\\?#]*(\/\/[^/\\?#]*)?$/.test(before);

function partsOfUrl(value: string): string[] {
	const url = URL.parse(value);
	if (!url) return [];
	const { hostname, pathname, search, searchParams } = url;
	return [
		hostname,
		...[pathname, search, ...searchParams.values()].filter(({ length }) => length >= MIN_PART_CHARS),
		...pathname.split("/").filter(({ length }) => length >= MIN_SEGMENT_CHARS),
	];
}

const hostOf = (value: string): string => URL.parse(`https://${value}`)?.hostname ?? "";
