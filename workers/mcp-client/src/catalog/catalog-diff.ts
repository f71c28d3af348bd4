import type { ToolChanges } from "@parley/contracts/agents/mcp-servers";

/** Schema hash by tool name. */
export type Hashes = Readonly<Record<string, string>>;

/** What leads from one tool list to the next, each name once and in order. */
export function diffCatalogs(before: Hashes, after: Hashes): ToolChanges {
	const held = Object.keys(before);
	const found = Object.keys(after);
	return {
		added: found.filter((name) => !Object.hasOwn(before, name)).sort(),
		removed: held.filter((name) => !Object.hasOwn(after, name)).sort(),
		changed: found.filter((name) => Object.hasOwn(before, name) && before[name] !== after[name]).sort(),
	};
}

export const hasChanges = ({ added, removed, changed }: ToolChanges): boolean =>
	added.length + removed.length + changed.length > 0;

export const NO_CHANGES: ToolChanges = { added: [], removed: [], changed: [] };
