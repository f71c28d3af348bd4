import { normalisedProject } from "@parley/contracts/internal/python-rpc";
import { satisfies, valid } from "@renovatebot/pep440";
import {
	type EnvironmentMarker,
	type EnvironmentMarkerLeaf,
	type Requirement as ParsedRequirement,
	parsePipRequirementsLine,
} from "pip-requirements-js";

/** One requirement by name (PEP 508). `specifier` is a PEP 440 set, empty for any version. */
export type Requirement = {
	name: string;
	extras: string[];
	specifier: string;
	appliesTo(environment: MarkerEnvironment): boolean;
};

export type MarkerEnvironment = {
	/** Full version of the interpreter, such as 3.14.2. */
	python: string;
	/** Extras that were asked of the package whose requirement this is. */
	extras: ReadonlySet<string>;
};

/** Parses `name[extra]>=1,<2; marker`. Undefined when the text is no requirement by name. */
export function parseRequirement(text: string): Requirement | undefined {
	if (/[\r\n]/.test(text)) return undefined;
	let parsed: ParsedRequirement | null;
	try {
		parsed = parsePipRequirementsLine(text);
	} catch {
		return undefined;
	}
	if (parsed?.type !== "ProjectName") return undefined;
	const { name, extras = [], versionSpec = [], environmentMarkerTree: marker } = parsed;
	return {
		name: normalisedProject(name),
		extras: extras.map(normalisedProject),
		specifier: versionSpec.map(({ operator, version }) => operator + version).join(","),
		appliesTo: (environment) => marker === undefined || holds(marker, environment),
	};
}

/** Whether a version is one that the specifier allows, pre-releases included: whoever pins one wants it. */
export function accepts(specifier: string, version: string): boolean {
	return specifier === "" || satisfies(version, specifier, { prereleases: true });
}

function holds(marker: EnvironmentMarker, environment: MarkerEnvironment): boolean {
	if (marker.operator === "and" || marker.operator === "or") {
		if (!isNode(marker)) return false;
		const left = holds(marker.left, environment);
		return marker.operator === "and"
			? left && holds(marker.right, environment)
			: left || holds(marker.right, environment);
	}
	return isNode(marker) ? false : compare(marker, environment);
}

const isNode = (marker: EnvironmentMarker): marker is Exclude<EnvironmentMarker, EnvironmentMarkerLeaf> =>
	typeof marker.left === "object";

function compare({ left, operator, right }: EnvironmentMarkerLeaf, environment: MarkerEnvironment): boolean {
	if (left === "extra" || right === "extra") {
		const name = normalisedProject(unquoted(left === "extra" ? right : left));
		return environment.extras.has(name) === (operator === "==" || operator === "in");
	}
	const a = sideValue(left, environment);
	const b = sideValue(right, environment);
	if (operator === "in") return b.includes(a);
	if (operator === "not in") return !b.includes(a);
	// PEP 508: by the rules of versions where both sides are some, else as text.
	if (valid(a) !== null && valid(b.replace(/\.\*$/, "")) !== null) return accepts(operator + b, a);
	return compareText(a, operator, b);
}

function compareText(a: string, operator: string, b: string): boolean {
	switch (operator) {
		case "==":
		case "===":
			return a === b;
		case "!=":
			return a !== b;
		case "<":
			return a < b;
		case "<=":
			return a <= b;
		case ">":
			return a > b;
		case ">=":
			return a >= b;
		default:
			return false;
	}
}

function sideValue(side: string, { python }: MarkerEnvironment): string {
	const variables: Record<string, string> = {
		python_version: python.split(".").slice(0, 2).join("."),
		python_full_version: python,
		implementation_version: python,
		implementation_name: "cpython",
		platform_python_implementation: "CPython",
		os_name: "posix",
		sys_platform: "emscripten",
		platform_system: "Emscripten",
		platform_machine: "wasm32",
		platform_release: "",
		platform_version: "",
	};
	return variables[side] ?? unquoted(side);
}

const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/s, "$2");
