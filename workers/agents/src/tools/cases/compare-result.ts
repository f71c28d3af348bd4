import type { CaseDifference, CaseExpectation, CaseResult } from "@parley/contracts/agents/tool-cases";
import type { Issue } from "@parley/json-schema/validate";
import { outputIssues } from "../../runs/output.ts";
import { RunFailure } from "../../runs/run-failure.ts";

const MAX_DIFFERENCES = 50;
const MAX_VALUE_LENGTH = 500;

type Result = Pick<CaseResult, "status"> & { output: unknown };

/** Returns where a result differs from what its case expects; empty if the case passes. */
export function compareResult(expect: CaseExpectation, { status, output }: Result): CaseDifference[] {
	if (status !== expect.status) return [difference("status", "Differs", expect.status, status)];
	if (expect.output_schema !== undefined) return schemaDifferences(expect.output_schema, output);
	const found: CaseDifference[] = [];
	if (expect.output_equals !== undefined)
		compare({ expected: expect.output_equals, actual: output, path: "output", isExact: true }, found);
	else if (typeof expect.output_contains === "string") {
		if (!textOf(output).includes(expect.output_contains))
			found.push(difference("output", "Does not contain the text", expect.output_contains, output));
	} else if (expect.output_contains !== undefined)
		compare({ expected: expect.output_contains, actual: output, path: "output", isExact: false }, found);
	return found;
}

function schemaDifferences(schema: Record<string, unknown>, output: unknown): CaseDifference[] {
	return issuesOf(schema, output)
		.slice(0, MAX_DIFFERENCES)
		.map(({ path, message }) => ({
			path: ["output", ...path].join("."),
			message,
			expected: null,
			actual: shown(valueAt(output, path)),
		}));
}

function issuesOf(schema: Record<string, unknown>, output: unknown): Issue[] {
	try {
		return outputIssues(schema, output);
	} catch (error) {
		if (error instanceof RunFailure) return [{ path: [], message: error.message }];
		throw error;
	}
}

type Comparison = {
	expected: unknown;
	actual: unknown;
	path: string;
	/** Whether members that the expectation does not name are a difference. */
	isExact: boolean;
};

function compare({ expected, actual, path, isExact }: Comparison, found: CaseDifference[]): void {
	if (found.length >= MAX_DIFFERENCES) return;
	if (Array.isArray(expected) && Array.isArray(actual)) {
		if (expected.length !== actual.length) {
			const message = `Has ${actual.length} items instead of ${expected.length}`;
			found.push(difference(path, message, expected, actual));
			return;
		}
		for (const [index, item] of expected.entries())
			compare({ expected: item, actual: actual[index], path: `${path}.${index}`, isExact }, found);
		return;
	}
	if (isObject(expected) && isObject(actual)) {
		compareMembers({ expected, actual, path, isExact }, found);
		return;
	}
	if (!Object.is(expected, actual)) found.push(difference(path, "Differs", expected, actual));
}

function compareMembers(
	{
		expected,
		actual,
		path,
		isExact,
	}: Comparison & { expected: Record<string, unknown>; actual: Record<string, unknown> },
	found: CaseDifference[],
): void {
	for (const [name, value] of Object.entries(expected)) {
		const below = `${path}.${name}`;
		if (Object.hasOwn(actual, name))
			compare({ expected: value, actual: actual[name], path: below, isExact }, found);
		else found.push(difference(below, "Missing", value, undefined));
	}
	if (!isExact) return;
	for (const [name, value] of Object.entries(actual))
		if (!Object.hasOwn(expected, name))
			found.push(difference(`${path}.${name}`, "Not expected", undefined, value));
	found.splice(MAX_DIFFERENCES);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function difference(path: string, message: string, expected: unknown, actual: unknown): CaseDifference {
	return { path, message, expected: shown(expected), actual: shown(actual) };
}

const shown = (value: unknown): string | null =>
	value === undefined ? null : JSON.stringify(value).slice(0, MAX_VALUE_LENGTH).toWellFormed();

/** Returns an output as a reader sees it: a text that an endpoint answered, or JSON. */
function textOf(output: unknown): string {
	if (typeof output === "string") return output;
	if (isObject(output) && typeof output.text === "string" && Object.keys(output).length === 1)
		return output.text;
	return JSON.stringify(output);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
	let found = value;
	for (const key of path) {
		if (typeof found !== "object" || found === null) return undefined;
		found = (found as Record<PropertyKey, unknown>)[key];
	}
	return found;
}
