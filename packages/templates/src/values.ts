import type { TemplatePart } from "./parse.ts";
import { TemplateError, type TemplateProblem } from "./template-error.ts";

/** Values of tokens. A name that is absent or undefined has no value. */
export type TemplateValues = {
	vault?: Readonly<Record<string, string>>;
	arguments?: Readonly<Record<string, unknown>>;
};

export type TokenPart = Extract<TemplatePart, { name: string }>;

/** Undefined when there is none. Inherited members (`constructor`) are no values. */
export function tokenValue(part: TokenPart, values: TemplateValues): unknown {
	const source = part.kind === "vault" ? values.vault : values.arguments;
	return source !== undefined && Object.hasOwn(source, part.name) ? source[part.name] : undefined;
}

/** Null is empty text, arrays and objects are JSON. */
export function asText(value: unknown): string {
	if (value === null) return "";
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The token as named in problems. */
export const tokenOf = (part: TemplatePart): string => {
	if (!("name" in part)) return part.raw;
	return part.kind === "vault" ? `$${part.name}` : part.name;
};

/** Runs a rendering that notes its problems and refuses when there are any, so that all of them are told at once. */
export function collecting<T>(render: (problems: TemplateProblem[]) => T): T {
	const problems: TemplateProblem[] = [];
	const result = render(problems);
	if (problems.length > 0) throw new TemplateError(problems);
	return result;
}

/** Characters that one rendering may make. A template can repeat a large value thousands of times. */
export const MAX_RENDERED_LENGTH = 1_000_000;
/** Characters of a URL: far beyond what any server takes. */
export const MAX_URL_LENGTH = 64 * 1024;

/** Adds up what a rendering makes, and says when it is too much. */
export class RenderedLength {
	#length = 0;

	/** Returns whether there is still room after so many more characters. */
	hasRoomFor(length: number): boolean {
		this.#length += length;
		return this.#length <= MAX_RENDERED_LENGTH;
	}
}
