import { RE2JS } from "re2js";
import { BadSchema } from "./bad-schema.ts";

const MAX_PATTERN_CHARACTERS = 1_000;

export type LinearPattern = {
	/** Instructions of the compiled pattern; compiling takes time in proportion to them. */
	size: number;
	matches(text: string): boolean;
	/** Steps of matching a text, in the unit of the checker's budget. */
	cost(text: string): number;
};

/**
 * A regular expression that takes time in proportion to the text, whoever wrote it. Look-around and back references
 * are not to be had that way.
 * @throws BadSchema
 */
export function linearPattern(source: string): LinearPattern {
	const shown = JSON.stringify(source.slice(0, 100));
	if (source.length > MAX_PATTERN_CHARACTERS) throw new BadSchema(`the pattern ${shown} is too long`);
	try {
		const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
		const size = compiled.programSize();
		return {
			size,
			matches: (text) => compiled.matcher(text).find(),
			cost: (text) => (text.length * size) >> 6,
		};
	} catch (error) {
		const why = error instanceof Error ? error.message : "";
		throw new BadSchema(`the pattern ${shown} cannot be used: ${why.replace("error parsing regexp: ", "")}`);
	}
}
