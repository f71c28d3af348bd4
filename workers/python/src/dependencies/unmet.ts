import { DependencyError } from "./dependency-error.ts";
import type { Pin } from "./pins.ts";
import { accepts, parseRequirement, type Requirement } from "./requirement.ts";

/** A requirement that the pins do not meet. `pinned` is the pin in its way, null when there is none. */
export type Unmet = { name: string; specifier: string; neededBy: string[]; pinned: string | null };

type Pinned = { pin: Pin; contents: { requirements: string[] } };

/**
 * Compares what the pinned packages require, with their extras, to the pins. Several requirements on one package are
 * one entry with the joint specifier.
 * @returns the error when a package's metadata cannot be read
 */
export function unmetRequirements(pinned: Pinned[], python: string): Unmet[] | DependencyError {
	const byName = new Map(pinned.map((one) => [one.pin.name, one]));
	const extras = new Map(pinned.map(({ pin }) => [pin.name, new Set(pin.extras)]));
	const required = new Map<string, { requirement: Requirement; by: string }[]>();
	// A requirement may ask for extras of another package, so each change of extras looks at that package again.
	const queue = [...pinned];
	for (const { pin, contents } of queue) {
		for (const text of contents.requirements) {
			const requirement = parseRequirement(text);
			if (!requirement) {
				const message = `${pin.text}: its requirement ${JSON.stringify(text.slice(0, 200))} cannot be read`;
				return new DependencyError("WHEEL_UNUSABLE", message, pin.text);
			}
			if (!requirement.appliesTo({ python, extras: extras.get(pin.name) ?? new Set() })) continue;
			const known = required.get(requirement.name) ?? [];
			if (!known.some((one) => one.by === pin.text && one.requirement.specifier === requirement.specifier))
				required.set(requirement.name, [...known, { requirement, by: pin.text }]);
			const target = byName.get(requirement.name);
			const asked = extras.get(requirement.name);
			if (!target || !asked || requirement.extras.every((extra) => asked.has(extra))) continue;
			for (const extra of requirement.extras) asked.add(extra);
			queue.push(target);
		}
	}
	return [...required].flatMap(([name, needs]) => unmetOf(name, needs, byName.get(name)?.pin));
}

function unmetOf(
	name: string,
	needs: { requirement: Requirement; by: string }[],
	pin: Pin | undefined,
): Unmet[] {
	const unmet = pin ? needs.filter(({ requirement }) => !accepts(requirement.specifier, pin.version)) : needs;
	if (unmet.length === 0) return [];
	const specifiers = needs.map(({ requirement }) => requirement.specifier).filter(Boolean);
	return [
		{
			name,
			specifier: [...new Set(specifiers)].join(","),
			neededBy: [...new Set(unmet.map(({ by }) => by))],
			pinned: pin?.text ?? null,
		},
	];
}
