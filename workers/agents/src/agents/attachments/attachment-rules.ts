import type { AgentConfig } from "@parley/contracts/agents/agents";
import type { FieldError } from "@parley/contracts/shared/api-error";

/** Maximum number of tools in a chain, in which the end of each tool starts the next. */
export const MAX_CHAIN_DEPTH = 32;

type Source = { id: string; path: string };
type Node = { sources: Source[] };

/** Finds problems across an agent's attachments: repeated ids, triggers with an unknown source, and cyclic or too long chains. */
export function attachmentProblems(config: Pick<AgentConfig, "tool_refs" | "mcp_refs">): FieldError[] {
	const repeated = repeatedIds(config);
	return repeated.length > 0 ? repeated : chainProblems(config);
}

function repeatedIds({ tool_refs, mcp_refs }: Pick<AgentConfig, "tool_refs" | "mcp_refs">): FieldError[] {
	const ids = [
		...tool_refs.map((ref, i) => ({ id: ref.attachment_id, path: `tool_refs.${i}.attachment_id` })),
		...mcp_refs.map((ref, i) => ({ id: ref.attachment_id, path: `mcp_refs.${i}.attachment_id` })),
	];
	const seen = new Set<string>();
	return ids.flatMap(({ id, path }) => {
		if (seen.has(id)) return [{ path, message: "Another attachment of the agent has this id" }];
		seen.add(id);
		return [];
	});
}

function chainProblems({ tool_refs, mcp_refs }: Pick<AgentConfig, "tool_refs" | "mcp_refs">): FieldError[] {
	const nodes = new Map<string, Node>(mcp_refs.map((ref) => [ref.attachment_id, { sources: [] }]));
	for (const [i, ref] of tool_refs.entries()) {
		const sources = (ref.system?.triggers ?? []).flatMap(({ source_attachment_id: id }, j) =>
			id === undefined ? [] : [{ id, path: `tool_refs.${i}.system.triggers.${j}.source_attachment_id` }],
		);
		nodes.set(ref.attachment_id, { sources });
	}
	const depths = new Map<string, number | "open">();
	const problems: FieldError[] = [];

	const depthOf = (id: string, { sources }: Node): number => {
		depths.set(id, "open");
		const depth = Math.max(0, ...sources.map((source) => 1 + depthOfSource(source)));
		depths.set(id, depth);
		return depth;
	};
	const depthOfSource = ({ id, path }: Source): number => {
		const node = nodes.get(id);
		const known = depths.get(id);
		if (!node) problems.push({ path, message: "No attachment of the agent has this id" });
		else if (known === "open") problems.push({ path, message: "The chain of triggers leads back to itself" });
		else {
			const depth = known ?? depthOf(id, node);
			if (depth === MAX_CHAIN_DEPTH)
				problems.push({ path, message: `The chain of triggers is longer than ${MAX_CHAIN_DEPTH}` });
			return depth;
		}
		return 0;
	};
	for (const [id, node] of nodes) if (!depths.has(id)) depthOf(id, node);
	return problems;
}
