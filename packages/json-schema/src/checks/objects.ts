import { type Check, type CheckBuilder, type Evaluator, issueAt, type Place } from "../check.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Pattern } from "../patterns/pattern.ts";
import { Seen } from "../seen.ts";
import { mustHaveAtLeast, mustHaveAtMost } from "../wording.ts";

const STEPS_PER_LISTED_NAME = 2;

/** Checks `required`. */
export const requiredCheck: CheckBuilder = ({ required }, evaluator) => {
	const names = required as string[];
	return forObjects((members, place) => {
		evaluator.budget.spend(names.length);
		let isValid = true;
		for (const name of names) {
			if (Object.hasOwn(members, name)) continue;
			isValid = evaluator.report(issueAt({ parent: place, key: name }, "Is required"));
			if (!evaluator.wantsMore) return false;
		}
		return isValid;
	});
};

/** Checks `dependentRequired`. */
export const dependentRequiredCheck: CheckBuilder = ({ dependentRequired }, evaluator) => {
	const dependencies = Object.entries(dependentRequired as Record<string, string[]>);
	return forObjects((members, place) => {
		evaluator.budget.spend(dependencies.length);
		let isValid = true;
		for (const [present, names] of dependencies) {
			if (!Object.hasOwn(members, present)) continue;
			evaluator.budget.spend(names.length);
			for (const name of names) {
				if (Object.hasOwn(members, name)) continue;
				const message = `Is required when ${JSON.stringify(present)} is present`;
				isValid = evaluator.report(issueAt({ parent: place, key: name }, message));
				if (!evaluator.wantsMore) return false;
			}
		}
		return isValid;
	});
};

/** Checks `dependentSchemas`. */
export const dependentSchemasCheck: CheckBuilder = ({ dependentSchemas }, evaluator) => {
	const dependencies = Object.entries(dependentSchemas as JsonObject);
	return forObjects((members, place, seen) => {
		evaluator.budget.spend(dependencies.length);
		let isValid = true;
		for (const [present, schema] of dependencies) {
			if (!Object.hasOwn(members, present) || evaluator.matches(schema, members, place, seen)) continue;
			isValid = false;
			if (!evaluator.wantsMore) return false;
		}
		return isValid;
	});
};

/** Checks `maxProperties`. */
export const maxPropertiesCheck: CheckBuilder = ({ maxProperties }, evaluator) => {
	const maximum = maxProperties as number;
	return forObjects((members, place) => {
		const count = namesOf(members, evaluator).length;
		return count <= maximum || evaluator.report(issueAt(place, mustHaveAtMost(maximum, "property")));
	});
};

/** Checks `minProperties`. */
export const minPropertiesCheck: CheckBuilder = ({ minProperties }, evaluator) => {
	const minimum = minProperties as number;
	return forObjects((members, place) => {
		const count = namesOf(members, evaluator).length;
		return count >= minimum || evaluator.report(issueAt(place, mustHaveAtLeast(minimum, "property")));
	});
};

/** Checks `propertyNames`. */
export const propertyNamesCheck: CheckBuilder = ({ propertyNames }, evaluator) =>
	forObjects((members, parent) => {
		const names = namesOf(members, evaluator);
		let isValid = true;
		for (const name of names) {
			const place = { parent, key: name };
			if (evaluator.matchesQuietly(propertyNames, name, place)) continue;
			isValid = false;
			if (evaluator.isQuiet) return false;
			const issues = evaluator.issuesOf(propertyNames, name, place);
			evaluator.report(...issues.map((issue) => ({ ...issue, message: ofName(issue.message) })));
			if (!evaluator.wantsMore) return false;
		}
		return isValid;
	});

const ofName = (message: string): string => `The name ${message.charAt(0).toLowerCase()}${message.slice(1)}`;

/** Checks `properties`, `patternProperties` and `additionalProperties`. */
export const propertiesCheck: CheckBuilder = (schema, evaluator) => {
	const properties = (schema.properties ?? {}) as JsonObject;
	const declared = Object.keys(properties);
	const patterns = Object.entries((schema.patternProperties ?? {}) as JsonObject).map(
		([source, named]): [Pattern, unknown] => [evaluator.pattern(source), named],
	);
	const hasRest = Object.hasOwn(schema, "additionalProperties");
	const readsAllNames = hasRest || patterns.length > 0;
	/** Returns the schemas that apply to a member. */
	const schemasFor = (name: string): unknown[] => {
		const schemas = Object.hasOwn(properties, name) ? [properties[name]] : [];
		for (const [pattern, named] of patterns)
			if (pattern.isFoundIn(name, evaluator.budget)) schemas.push(named);
		if (schemas.length > 0 || !hasRest) return schemas;
		return [schema.additionalProperties === false ? UNKNOWN : schema.additionalProperties];
	};
	return forObjects((members, parent, seen) => {
		const names = readsAllNames ? namesOf(members, evaluator) : declared;
		evaluator.budget.spend(names.length);
		let isValid = true;
		for (const name of names) {
			if (!readsAllNames && !Object.hasOwn(members, name)) continue;
			const place = { parent, key: name };
			for (const applied of schemasFor(name)) {
				seen?.addName(name, evaluator.budget);
				if (applied === UNKNOWN) isValid = evaluator.report(issueAt(place, "Unknown property"));
				else if (!evaluator.matches(applied, members[name], place)) isValid = false;
				if (!isValid && !evaluator.wantsMore) return false;
			}
		}
		return isValid;
	});
};

/** Stands for the schema `false` where it says that a member is not declared. */
const UNKNOWN = Symbol("unknown property");

/** Checks `unevaluatedProperties`, after all other keywords of its schema. */
export const unevaluatedPropertiesCheck: CheckBuilder = ({ unevaluatedProperties }, evaluator) =>
	forObjects((members, parent, seen = new Seen()) => {
		const names = namesOf(members, evaluator);
		let isValid = true;
		for (const name of names) {
			if (seen.hasName(name)) continue;
			const place = { parent, key: name };
			seen.addName(name, evaluator.budget);
			if (unevaluatedProperties === false) isValid = evaluator.report(issueAt(place, "Unknown property"));
			else if (!evaluator.matches(unevaluatedProperties, members[name], place)) isValid = false;
			if (!isValid && !evaluator.wantsMore) return false;
		}
		return isValid;
	});

function namesOf(members: JsonObject, { budget }: Evaluator): string[] {
	const names = Object.keys(members);
	budget.spend(names.length * STEPS_PER_LISTED_NAME);
	return names;
}

const forObjects =
	(check: (members: JsonObject, place: Place, seen: Seen | undefined) => boolean): Check =>
	(value, place, seen) =>
		!isJsonObject(value) || check(value, place, seen);
