import { canonicalPin, PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import { valid } from "@renovatebot/pep440";
import { DependencyError } from "./dependency-error.ts";
import { parseRequirement } from "./requirement.ts";

export type Pin = { name: string; version: string; extras: string[]; text: string };

/** Reads a tool's dependencies, each an exact pin of a different package. All faults at once. */
export function parsePins(dependencies: string[]): { pins: Pin[]; errors: DependencyError[] } {
	const pins = new Map<string, Pin>();
	const errors: DependencyError[] = [];
	if (dependencies.length > PYTHON_LIMITS.dependencies) {
		const message = `a tool may have ${PYTHON_LIMITS.dependencies} dependencies, not ${dependencies.length}`;
		return { pins: [], errors: [new DependencyError("DEPENDENCY_LIMIT", message)] };
	}
	for (const dependency of dependencies) {
		const pin = parsePin(dependency);
		const other = pin && pins.get(pin.name);
		if (!pin) {
			errors.push(malformed(dependency));
		} else if (other) {
			const message = `${pin.name} is pinned twice: ${other.text} and ${pin.text}`;
			errors.push(new DependencyError("DEPENDENCY_DUPLICATE", message, pin.text));
		} else {
			pins.set(pin.name, pin);
		}
	}
	return { pins: [...pins.values()], errors };
}

function parsePin(text: string): Pin | undefined {
	const requirement = text.includes(";") ? undefined : parseRequirement(text);
	const version = /^==([^,*=]+)$/.exec(requirement?.specifier ?? "")?.[1];
	if (!requirement || !version || valid(version) === null) return undefined;
	return { name: requirement.name, version, extras: requirement.extras, text: canonicalPin(text) };
}

function malformed(dependency: string): DependencyError {
	const shown = JSON.stringify(dependency.slice(0, 100));
	return new DependencyError(
		"DEPENDENCY_MALFORMED",
		`${shown} is not an exact pin: write name==version`,
		canonicalPin(dependency).slice(0, 200),
	);
}
