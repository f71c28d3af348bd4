import type { Client } from "@modelcontextprotocol/client";
import type { McpCapabilities } from "@parley/contracts/agents/mcp-servers";
import type { Deadline } from "./deadline.ts";
import { storedSizeOf, type ToolDefinition, toDiscoveredTool, toToolDefinition } from "./discovered-tool.ts";
import { findHeaderIssue } from "./header-issue.ts";
import { REQUEST_MS } from "./open-session.ts";
import type { Trace } from "./trace.ts";

const MAX_PAGES = 64;
const MAX_TOOLS = 1_024;
/** Maximum size of all tools together. Bounds the answer, the record and the CPU time of one attempt. */
const MAX_LIST_BYTES = 2 * 1024 * 1024;

type Options = { deadline: Deadline; trace: Trace; scrub: (value: unknown) => unknown };

/** Tools listed so far. Complete once `listTools` returns; partial if it throws. */
export type Listing = McpCapabilities & {
	/** Time for which the server declares the list fresh, in milliseconds. */
	ttlMs: number | undefined;
};

export const emptyListing = (): Listing => ({
	tools: [],
	truncated: false,
	pages_fetched: 0,
	ttlMs: undefined,
});

/**
 * Lists a server's tools page by page into `listing`, up to 64 pages, 1,024 tools or two megabytes. If two tools have the
 * same name, keeps the first. Stops at a cursor that was already used.
 * @throws ConnectFailure for a tool that breaks the contract, and the client library's own errors.
 */
export async function listTools(
	client: Client,
	listing: Listing,
	{ deadline, trace, scrub }: Options,
): Promise<void> {
	if (!client.getServerCapabilities()?.tools) return;
	const isStateless = client.getProtocolEra() === "modern";
	const names = new Set<string>();
	const cursors = new Set<string>();
	let bytes = 0;
	for (let cursor: string | undefined; ; ) {
		const page = await deadline.race(
			client.request(
				{ method: "tools/list", ...(cursor !== undefined && { params: { cursor } }) },
				{ timeout: Math.min(REQUEST_MS, deadline.remainingMs()) },
			),
		);
		listing.pages_fetched++;
		if (typeof page.ttlMs === "number") listing.ttlMs = Math.min(page.ttlMs, listing.ttlMs ?? page.ttlMs);
		for (const tool of page.tools) {
			const issue = isStateless ? findHeaderIssue(tool.inputSchema) : undefined;
			if (issue !== undefined) trace.add("received", "tools/list", `left out ${tool.name}: ${issue}`);
			// Names that are equal after scrubbing count as one name.
			const name = scrub(tool.name) as string;
			if (issue !== undefined || names.has(name)) continue;
			bytes += storedSizeOf(tool);
			if (listing.tools.length === MAX_TOOLS || bytes > MAX_LIST_BYTES) {
				listing.truncated = true;
				return;
			}
			names.add(name);
			listing.tools.push(await toDiscoveredTool(scrub(toToolDefinition(tool)) as ToolDefinition));
			// No timer interrupts this loop.
			deadline.signal.throwIfAborted();
		}
		cursor = page.nextCursor;
		if (cursor === undefined) return;
		if (cursors.has(cursor) || listing.pages_fetched === MAX_PAGES) {
			listing.truncated = true;
			return;
		}
		cursors.add(cursor);
	}
}
