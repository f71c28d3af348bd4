import { parseTemplate } from "@parley/templates/parse";
import { isObject } from "../../agents/attachments/override-rules.ts";
import type { RuntimeAttachment } from "../in-force/runtime-attachment.ts";

type Schema = Record<string, unknown>;

export type ArgumentRules = {
	/** Arguments that the model neither sees nor gives: the attachment fixes them, or their default comes from the vault. */
	hidden: ReadonlySet<string>;
	/** Arguments that the model may omit, because the tool has a default for them. */
	optional: ReadonlySet<string>;
};

/** Returns which arguments of an attachment the model may give. */
export function argumentRules(attachment: RuntimeAttachment): ArgumentRules {
	const overridden = Object.keys(attachment.argumentOverrides);
	const defaults = attachment.kind === "tool" ? (attachment.runnable?.argumentDefaults ?? {}) : {};
	const fixed = Object.keys(defaults).filter((name) => isFromVault(defaults[name]));
	return { hidden: new Set([...overridden, ...fixed]), optional: new Set(Object.keys(defaults)) };
}

/** Returns the arguments that the model may give. It may name one that it does not see, by a guess or because it was told to. */
export function visibleArguments(attachment: RuntimeAttachment, given: Schema): Schema {
	const { hidden } = argumentRules(attachment);
	return Object.fromEntries(Object.entries(given).filter(([name]) => !hidden.has(name)));
}

const isFromVault = (value: unknown): boolean =>
	typeof value === "string" && parseTemplate(value).some(({ kind }) => kind === "vault");

/** Keywords whose schemas apply to the same value as the schema that holds them. */
const SAME_VALUE = ["if", "then", "else"];
const SAME_VALUE_LISTS = ["allOf", "anyOf", "oneOf"];

/** Returns the schema of an arguments object without the hidden arguments. Those with a default are no longer required. */
export function modelParameters(schema: Schema, rules: ArgumentRules): Schema {
	const root = withoutHidden({ type: "object", ...schema }, rules);
	return isObject(root.properties) ? root : { ...root, properties: {} };
}

function withoutHidden(schema: Schema, rules: ArgumentRules): Schema {
	const changed: Schema = { ...schema };
	const change = (keyword: string, to: (value: never) => unknown) => {
		if (changed[keyword] !== undefined) changed[keyword] = to(changed[keyword] as never);
	};
	const isHidden = (name: string) => rules.hidden.has(name);
	const removed = Object.keys(isObject(schema.properties) ? schema.properties : {}).filter(isHidden).length;
	change("properties", (map) => withoutNames(map, isHidden));
	change("required", (names) => withoutItems(names, (name) => isHidden(name) || rules.optional.has(name)));
	change("dependentSchemas", (map) => withoutNames(map, isHidden));
	change("dependentRequired", (map) => {
		const kept = withoutNames(map, isHidden);
		return isObject(kept)
			? Object.fromEntries(Object.entries(kept).map(([name, names]) => [name, withoutItems(names, isHidden)]))
			: kept;
	});
	change("minProperties", (count) => (typeof count === "number" ? Math.max(0, count - removed) : count));
	change("maxProperties", (count) => (typeof count === "number" ? Math.max(0, count - removed) : count));
	for (const keyword of SAME_VALUE)
		change(keyword, (inner) => (isObject(inner) ? withoutHidden(inner, rules) : inner));
	for (const keyword of SAME_VALUE_LISTS)
		change(keyword, (list: unknown) =>
			Array.isArray(list)
				? list.map((inner: unknown) => (isObject(inner) ? withoutHidden(inner, rules) : inner))
				: list,
		);
	if (Array.isArray(changed.required) && changed.required.length === 0) delete changed.required;
	return changed;
}

const withoutNames = (map: unknown, isLeftOut: (name: string) => boolean): unknown =>
	isObject(map) ? Object.fromEntries(Object.entries(map).filter(([name]) => !isLeftOut(name))) : map;

const withoutItems = (names: unknown, isLeftOut: (name: string) => boolean): unknown =>
	Array.isArray(names)
		? names.filter((name: unknown) => typeof name !== "string" || !isLeftOut(name))
		: names;
