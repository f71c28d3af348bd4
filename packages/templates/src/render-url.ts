import { parseTemplate } from "./parse.ts";
import { TemplateError, type TemplateProblem, type UrlPlace } from "./template-error.ts";
import {
	asText,
	collecting,
	MAX_URL_LENGTH,
	type TemplateValues,
	type TokenPart,
	tokenOf,
	tokenValue,
} from "./values.ts";

export type UrlTemplateOptions = {
	/**
	 * `fixed` (when absent): tokens stand in path segments and query values only. `templated`: vault tokens may also be the
	 * beginning of the URL (`{{$BASE}}/mcp`, inserted as it is) or part of host and port.
	 */
	origin?: "fixed" | "templated";
};

/**
 * A template as a URL. Values are percent-encoded, so they never add a segment, a query value or a fragment; a value that
 * would make its path segment empty, `.` or `..` is refused, since URL parsing drops those even when they are encoded.
 * The result is well formed, not checked for where it leads.
 * @throws TemplateError
 */
export function renderUrl(template: string, values: TemplateValues, options: UrlTemplateOptions = {}): URL {
	const lookup = (part: TokenPart) => tokenValue(part, values);
	const text = collecting((problems) => renderParts(template, lookup, options, problems));
	const url = parseStrictly(text);
	if (!url) throw new TemplateError([{ kind: "invalid_url" }]);
	return url;
}

/** Returns the faults of a URL template that no value can mend: malformed and misplaced tokens, a text that is no URL. */
export function urlTemplateProblems(template: string, options: UrlTemplateOptions = {}): TemplateProblem[] {
	const problems: TemplateProblem[] = [];
	const standIn: Lookup = (_part, before) => {
		if (before === "") return "https://host.example";
		return before.endsWith(":") ? "1" : "value";
	};
	const text = renderParts(template, standIn, options, problems);
	if (problems.length === 0 && !parseStrictly(text)) problems.push({ kind: "invalid_url" });
	return problems;
}

type Lookup = (part: TokenPart, before: string) => unknown;

function renderParts(
	template: string,
	lookup: Lookup,
	{ origin = "fixed" }: UrlTemplateOptions,
	problems: TemplateProblem[],
): string {
	const segments: { part: TokenPart; at: number }[] = [];
	let text = "";
	for (const part of parseTemplate(template)) {
		if (part.kind === "malformed") problems.push({ kind: "malformed", token: part.raw });
		if (!("name" in part)) {
			text += part.raw;
			continue;
		}
		const token = tokenOf(part);
		const place = placeAfter(text);
		const canBeOrigin = origin === "templated" && part.kind === "vault" && /^$|^https?:\/\//i.test(text);
		const isAllowed = place === "path" || place === "query_value" || (place === "origin" && canBeOrigin);
		if (!isAllowed) problems.push({ kind: "misplaced", token, place });
		const value = lookup(part, text);
		if (value === undefined) problems.push({ kind: "missing", token });
		const encoded = place === "origin" ? originPiece(asText(value), text) : percentEncoded(asText(value));
		if (encoded === undefined) problems.push({ kind: "unusable", token, place });
		if (place === "path") segments.push({ part, at: text.length });
		text += encoded ?? "value";
		if (text.length > MAX_URL_LENGTH) {
			problems.push({ kind: "too_long", maxLength: MAX_URL_LENGTH });
			break;
		}
	}
	for (const { part, at } of segments)
		if (vanishes(segmentAt(text, at)))
			problems.push({ kind: "unusable", token: tokenOf(part), place: "path" });
	return text;
}

/** Returns the part of the URL that the next character belongs to. A text without a host is still in the origin. */
function placeAfter(text: string): UrlPlace {
	const origin = /^https?:\/\/[^/\\?#]+(?=[/\\?#])/i.exec(text);
	if (!origin) return "origin";
	const rest = text.slice(origin[0].length);
	if (rest.includes("#")) return "fragment";
	const query = rest.indexOf("?");
	if (query === -1) return "path";
	const pair = rest.slice(Math.max(query, rest.lastIndexOf("&")) + 1);
	return pair.includes("=") ? "query_value" : "query_name";
}

/** At the very beginning a value may be a whole URL; later it may only be of the characters of a host and port. */
const originPiece = (value: string, before: string): string | undefined =>
	value !== "" && (before === "" || /^[\p{L}\p{N}._:[\]-]+$/u.test(value)) ? value : undefined;

const percentEncoded = (value: string): string | undefined =>
	value.isWellFormed() ? encodeURIComponent(value) : undefined;

function segmentAt(text: string, at: number): string {
	const start = Math.max(text.lastIndexOf("/", at - 1), text.lastIndexOf("\\", at - 1)) + 1;
	return /^[^/\\?#]*/.exec(text.slice(start))?.[0] ?? "";
}

const vanishes = (segment: string): boolean => /^(\.|%2e){0,2}$/i.test(segment);

/** The URL parser trims white space and drops tabs and line breaks, which would undo what was checked above. */
const parseStrictly = (text: string): URL | undefined =>
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
	/[\x00-\x20\x7f]/.test(text) ? undefined : (URL.parse(text) ?? undefined);
