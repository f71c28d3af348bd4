import { DependencyError } from "./dependency-error.ts";
import type { Pin } from "./pins.ts";
import { accepts, parseRequirement, type Requirement } from "./requirement.ts";

/** A requirement that the pins do not meet. `pinned` is the pin in its way, null when there is none. */
export type Unmet = { name: string; specifier: string; neededBy: string[]; pinned: string | null };

type Pinned = { pin: Pin; contents: { requirements: string[] } };

// To read 1,000 characters takes some milliseconds, and each text as long as 100 more. The largest packages come to
// 150,000, most of it for their extras.
const MAX_REQUIREMENT_CHARACTERS = 1_000;
const CHARACTERS_PER_TEXT = 100;
const MAX_CHARACTERS = 300_000;
// A package is looked at again for each package that asks for further extras of it.
const MAX_LOOKS = 20_000;

/**
 * Compares what the pinned packages require, with their extras, to the pins. Several requirements on one package are
 * one entry with the joint specifier.
 * @returns the error when a package's metadata cannot be read, or is too much to be read
 */
export function unmetRequirements(pinned: Pinned[], python: string): Unmet[] | DependencyError {
	const byName = new Map(pinned.map((one) => [one.pin.name, one]));
	const extras = new Map(pinned.map(({ pin }) => [pin.name, new Set(pin.extras)]));
	const required = new Map<string, { requirement: Requirement; by: string }[]>();
	const read = reader();
	let looks = 0;
	// A requirement may ask for extras of another package, so each change of extras looks at that package again.
	const queue = [...pinned];
	for (const { pin, contents } of queue) {
		for (const text of contents.requirements) {
			const requirement = ++looks > MAX_LOOKS ? "too many" : read(text);
			if (requirement === "too many")
				return new DependencyError(
					"DEPENDENCY_LIMIT",
					`${pin.text}: too many requirements to read`,
					pin.text,
				);
			if (!requirement) {
				const message = `${pin.text}: its requirement ${JSON.stringify(text.slice(0, 200))} cannot be read`;
				return new DependencyError("WHEEL_UNUSABLE", message, pin.text);
			}
			if (!requirement.appliesTo({ python, extras: extras.get(pin.name) ?? new Set() })) continue;
			const known = required.get(requirement.name) ?? [];
			if (!known.some((one) => one.by === pin.text && one.requirement.specifier === requirement.specifier))
				known.push({ requirement, by: pin.text });
			required.set(requirement.name, known);
			const target = byName.get(requirement.name);
			const asked = extras.get(requirement.name);
			if (!target || !asked || requirement.extras.every((extra) => asked.has(extra))) continue;
			for (const extra of requirement.extras) asked.add(extra);
			queue.push(target);
		}
	}
	return [...required].flatMap(([name, needs]) => unmetOf(name, needs, byName.get(name)?.pin));
}

/** Reads each text once, and only so much altogether. */
function reader(): (text: string) => Requirement | undefined | "too many" {
	const known = new Map<string, Requirement | undefined>();
	let charactersLeft = MAX_CHARACTERS;
	return (text) => {
		if (text.length > MAX_REQUIREMENT_CHARACTERS) return undefined;
		if (!known.has(text)) {
			charactersLeft -= CHARACTERS_PER_TEXT + text.length;
			if (charactersLeft < 0) return "too many";
			known.set(text, parseRequirement(text));
		}
		return known.get(text);
	};
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
