import type { OutputUnit } from "@cfworker/json-schema";
import type { FieldError } from "@parley/contracts/api-error";
import { ruleBroken } from "./text-rules.ts";

const MAX_FIELDS = 50;
// Keywords whose error only says that something deeper is wrong.
const WRAPPERS = new Set(
	["properties", "items", "prefixItems", "$ref", "allOf", "if", "dependentSchemas", "propertyNames"].concat([
		"additionalProperties",
		"unevaluatedProperties",
	]),
);
const UNIONS = new Set(["anyOf", "oneOf"]);

/** What a validator found, as one line a field. Of a union only the branch that the value was meant for speaks. */
export function fieldErrors(errors: OutputUnit[]): FieldError[] {
	const fields = new Map<string, FieldError>();
	for (const unit of leaves(errors)) {
		const field = fieldError(unit);
		fields.set(JSON.stringify(field), field);
		if (fields.size >= MAX_FIELDS) break;
	}
	return [...fields.values()];
}

function leaves(errors: OutputUnit[]): OutputUnit[] {
	const found: OutputUnit[] = [];
	for (let i = 0; i < errors.length; i++) {
		const unit = errors[i];
		if (!unit || WRAPPERS.has(unit.keyword)) continue;
		if (!UNIONS.has(unit.keyword)) {
			found.push(unit);
			continue;
		}
		// The union's own error comes first, then those of all its branches.
		let end = i + 1;
		while (errors[end]?.keywordLocation.startsWith(`${unit.keywordLocation}/`)) end++;
		found.push(...(intended(unit, errors.slice(i + 1, end)) ?? [unit]));
		i = end - 1;
	}
	return found;
}

/** The errors of the only branch whose type fits the value. */
function intended(union: OutputUnit, inner: OutputUnit[]): OutputUnit[] | undefined {
	const branches = Map.groupBy(inner, (unit) =>
		unit.keywordLocation
			.slice(union.keywordLocation.length + 1)
			.split("/", 1)
			.join(),
	);
	const fitting = [...branches.values()].filter(
		(units) => !units.some((u) => u.keyword === "type" && u.instanceLocation === union.instanceLocation),
	);
	const [only] = fitting;
	return fitting.length === 1 && only && branches.size > 1 ? leaves(only) : undefined;
}

function fieldError({ instanceLocation, keyword, error }: OutputUnit): FieldError {
	const keys = instanceLocation.split("/").slice(1).map(decodeKey);
	const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
	if (missing !== undefined) keys.push(missing);
	return { path: keys.join("."), message: messageFor(keyword, error) };
}

function decodeKey(token: string): string {
	return decodeURI(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

function messageFor(keyword: string, error: string): string {
	if (keyword === "required") return "is required";
	if (keyword === "false") return "is not known";
	if (UNIONS.has(keyword)) return "fits none of the allowed types";
	const rule = keyword === "format" ? /^String does not match format "(.*)"\.$/s.exec(error)?.[1] : undefined;
	if (rule !== undefined) return ruleBroken(rule);
	const [, found, expected] = /^Instance type "(.*)" is invalid. Expected "(.*)"\.$/.exec(error) ?? [];
	if (expected) return `must be ${expected.replaceAll('", "', " or ")}, not ${found}`;
	const text = error.replace(/^(String|Array|Instance) /, "").replace(/\.$/, "");
	return (text.charAt(0).toLowerCase() + text.slice(1)).slice(0, 500);
}
