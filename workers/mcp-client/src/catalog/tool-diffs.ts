import type { DiscoveredTool, ToolDiff } from "@parley/contracts/agents/mcp-servers";
import { diffJson } from "./json-diff.ts";

/** Of all the differences in one change together, as JSON. */
const MAX_DIFFS_CHARS = 64 * 1024;

/**
 * Compares the definitions of the tools that a new list has changed.
 * @param changed names of these tools
 * @param options.ignoresHints title and annotations are left out: nobody knows what they were before
 */
export function diffTools(
	before: readonly DiscoveredTool[],
	after: readonly DiscoveredTool[],
	changed: readonly string[],
	{ ignoresHints }: { ignoresHints: boolean },
): ToolDiff[] {
	const old = new Map(before.map((tool) => [tool.name, tool]));
	const present = new Map(after.map((tool) => [tool.name, tool]));
	let room = MAX_DIFFS_CHARS;
	return changed.map((name) => {
		const [from, to] = [old, present].map((tools) => contentOf(tools.get(name), ignoresHints));
		const diff = { name, ...diffJson(from, to) };
		room -= JSON.stringify(diff.differences).length;
		return room >= 0 ? diff : { name, differences: [], truncated: true };
	});
}

function contentOf(tool: DiscoveredTool | undefined, ignoresHints: boolean): object {
	if (!tool) return {};
	const { name, schema_hash, title, annotations, ...rest } = tool;
	return ignoresHints ? rest : { title, annotations, ...rest };
}
