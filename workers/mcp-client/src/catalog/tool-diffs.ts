import type { DiscoveredTool, ToolDiff } from "@parley/contracts/agents/mcp-servers";
import { diffJson } from "./json-diff.ts";

/** Maximum length of all differences of one change together, as JSON. */
const MAX_DIFFS_CHARS = 64 * 1024;

/**
 * Compares the definitions of the tools that a new list has changed.
 * @param changed names of the tools to compare
 * @param options.ignoresHints leaves out title and annotations, for a previous list that was stored without them
 */
export function diffTools(
	before: readonly DiscoveredTool[],
	after: readonly DiscoveredTool[],
	changed: readonly string[],
	{ ignoresHints }: { ignoresHints: boolean },
): ToolDiff[] {
	const toolsBefore = new Map(before.map((tool) => [tool.name, tool]));
	const toolsAfter = new Map(after.map((tool) => [tool.name, tool]));
	let remainingChars = MAX_DIFFS_CHARS;
	return changed.map((name) => {
		const [from, to] = [toolsBefore, toolsAfter].map((tools) => contentOf(tools.get(name), ignoresHints));
		const diff = { name, ...diffJson(from, to) };
		remainingChars -= JSON.stringify(diff.differences).length;
		return remainingChars >= 0 ? diff : { name, differences: [], truncated: true };
	});
}

function contentOf(tool: DiscoveredTool | undefined, ignoresHints: boolean): object {
	if (!tool) return {};
	const { name, schema_hash, title, annotations, ...rest } = tool;
	return ignoresHints ? rest : { title, annotations, ...rest };
}
