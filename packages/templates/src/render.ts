import { parseTemplate } from "./parse.ts";
import type { TemplateProblem } from "./template-error.ts";
import {
	asText,
	collecting,
	MAX_RENDERED_LENGTH,
	RenderedLength,
	type TemplateValues,
	tokenOf,
	tokenValue,
} from "./values.ts";

/**
 * A template as text, such as a prompt. What is no token stays as it is, malformed ones too; inserted values are not read
 * again.
 * @throws TemplateError naming the tokens without a value.
 */
export const renderText = (template: string, values: TemplateValues): string =>
	collecting((problems) => joined(template, values, { problems, length: new RenderedLength() }));

/** Matches header values that fetch accepts. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A template as the value of an HTTP header.
 * @throws TemplateError when a token has no value or is malformed, or when the text holds line breaks, other control
 * characters or characters beyond Latin-1.
 */
export const renderHeader = (template: string, values: TemplateValues): string =>
	collecting((problems) => {
		const length = new RenderedLength();
		let header = "";
		for (const part of parseTemplate(template)) {
			if (part.kind === "malformed") problems.push({ kind: "malformed", token: part.raw });
			const value = "name" in part ? tokenValue(part, values) : part.raw;
			if (value === undefined) problems.push({ kind: "missing", token: tokenOf(part) });
			const text = asText(value);
			if (!HEADER_VALUE.test(text))
				problems.push({ kind: "unusable", token: tokenOf(part), place: "header" });
			if (!length.hasRoomFor(text.length)) {
				problems.push({ kind: "too_long", maxLength: MAX_RENDERED_LENGTH });
				break;
			}
			header += text;
		}
		return header;
	});

/**
 * A JSON value with every string in it rendered; keys are left alone. A string that is one token and nothing else becomes
 * the argument's value with its type, any other string is text.
 * @throws TemplateError naming the tokens without a value, of the whole value at once.
 */
export const renderJson = (value: unknown, values: TemplateValues): unknown =>
	collecting((problems) => rendered(value, values, { problems, length: new RenderedLength() }));

type Rendering = { problems: TemplateProblem[]; length: RenderedLength };

function rendered(value: unknown, values: TemplateValues, rendering: Rendering): unknown {
	if (typeof value === "string") return renderString(value, values, rendering);
	if (Array.isArray(value)) return value.map((item) => rendered(item, values, rendering));
	if (typeof value !== "object" || value === null) return value;
	// fromEntries defines a member called __proto__ where an assignment would not.
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [key, rendered(member, values, rendering)]),
	);
}

function renderString(template: string, values: TemplateValues, rendering: Rendering): unknown {
	const [part, ...others] = parseTemplate(template);
	if (part === undefined || others.length > 0 || !("name" in part))
		return joined(template, values, rendering);
	const value = tokenValue(part, values);
	if (value === undefined) rendering.problems.push({ kind: "missing", token: tokenOf(part) });
	return value;
}

function joined(template: string, values: TemplateValues, { problems, length }: Rendering): string {
	let text = "";
	for (const part of parseTemplate(template)) {
		const value = "name" in part ? tokenValue(part, values) : part.raw;
		if (value === undefined) problems.push({ kind: "missing", token: tokenOf(part) });
		const piece = asText(value);
		if (!length.hasRoomFor(piece.length)) {
			problems.push({ kind: "too_long", maxLength: MAX_RENDERED_LENGTH });
			return "";
		}
		text += piece;
	}
	return text;
}
