import type { ToolChanges } from "@parley/contracts/agents/mcp-servers";

/** Schema hash by tool name. */
export type Hashes = Readonly<Record<string, string>>;

/** Lists the names of added, removed and changed tools, sorted. Each name appears once. */
export function diffCatalogs(before: Hashes, after: Hashes): ToolChanges {
	const namesBefore = Object.keys(before);
	const namesAfter = Object.keys(after);
	return {
		added: namesAfter.filter((name) => !Object.hasOwn(before, name)).sort(),
		removed: namesBefore.filter((name) => !Object.hasOwn(after, name)).sort(),
		changed: namesAfter.filter((name) => Object.hasOwn(before, name) && before[name] !== after[name]).sort(),
	};
}

export const hasChanges = ({ added, removed, changed }: ToolChanges): boolean =>
	added.length + removed.length + changed.length > 0;

export const NO_CHANGES: ToolChanges = { added: [], removed: [], changed: [] };
