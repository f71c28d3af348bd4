/**
 * A stretch of a template; the `raw` texts of all parts, joined, are the template. `name` is without `$`, braces and the
 * spaces around it. Malformed is a `{{` that opens no token, or a pair of braces around something that is no name.
 */
export type TemplatePart =
	| { kind: "literal" | "malformed"; raw: string }
	| { kind: "vault" | "argument"; raw: string; name: string };

/** A name of the vault: what may follow `$` in `{{$NAME}}`. */
export const VAULT_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const MAX_ARGUMENT_NAME = 128;

/** Matches the innermost two of a run of braces, so that JSON around a token stays literal. */
const TOKEN = /\{\{([^{}]*)\}\}|\{\{(?!\{)/g;

/**
 * The parts of a template in order; an empty template has none. `{{$NAME}}` refers to the vault, `{{argument}}` to a tool
 * argument, whose name is any property name without braces and control characters, 128 characters at most.
 */
export function parseTemplate(text: string): TemplatePart[] {
	const parts: TemplatePart[] = [];
	let end = 0;
	for (const match of text.matchAll(TOKEN)) {
		if (match.index > end) parts.push({ kind: "literal", raw: text.slice(end, match.index) });
		parts.push(toPart(match[0], match[1]));
		end = match.index + match[0].length;
	}
	if (end < text.length) parts.push({ kind: "literal", raw: text.slice(end) });
	return parts;
}

function toPart(raw: string, inside: string | undefined): TemplatePart {
	if (inside === undefined || /\p{Cc}/u.test(inside)) return { kind: "malformed", raw };
	const name = inside.trim();
	if (name.startsWith("$")) {
		const vaultName = name.slice(1);
		return VAULT_NAME.test(vaultName) ? { kind: "vault", raw, name: vaultName } : { kind: "malformed", raw };
	}
	const isName = name !== "" && name.length <= MAX_ARGUMENT_NAME;
	return isName ? { kind: "argument", raw, name } : { kind: "malformed", raw };
}
