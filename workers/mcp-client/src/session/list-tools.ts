import type { Client } from "@modelcontextprotocol/client";
import type { McpCapabilities } from "@parley/contracts/agents/mcp-servers";
import type { Deadline } from "./deadline.ts";
import { keptOf, type OfferedTool, sizeOf, toDiscoveredTool } from "./discovered-tool.ts";
import { headerFault } from "./header-fault.ts";
import { REQUEST_MS } from "./open-session.ts";
import type { Trace } from "./trace.ts";

const MAX_PAGES = 64;
const MAX_TOOLS = 1_024;
/** Of all tools together: what one answer, one record and the processor's time of one attempt can hold. */
const MAX_LIST_BYTES = 2 * 1024 * 1024;

type Options = { deadline: Deadline; trace: Trace; scrub: (value: unknown) => unknown };

/** What was listed so far; complete when `listTools` returns, what there is of it when that throws. */
export type Listing = McpCapabilities & {
	/** The server's own word on how long the list stays fresh, in milliseconds. */
	ttlMs: number | undefined;
};

export const emptyListing = (): Listing => ({
	tools: [],
	truncated: false,
	pages_fetched: 0,
	ttlMs: undefined,
});

/**
 * Lists a server's tools page by page into `listing`, within bounds: 64 pages, 1,024 tools, two megabytes. Of two tools
 * with one name the first counts; a cursor that comes again ends the list.
 * @throws ConnectFailure for a tool that breaks the contract; what the client library throws.
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
			const fault = isStateless ? headerFault(tool.inputSchema) : undefined;
			if (fault !== undefined) trace.add("received", "tools/list", `left out ${tool.name}: ${fault}`);
			// Names that differ in nothing but what is scrubbed from them are one name.
			const name = scrub(tool.name) as string;
			if (fault !== undefined || names.has(name)) continue;
			bytes += sizeOf(tool);
			if (listing.tools.length === MAX_TOOLS || bytes > MAX_LIST_BYTES) {
				listing.truncated = true;
				return;
			}
			names.add(name);
			listing.tools.push(await toDiscoveredTool(scrub(keptOf(tool)) as OfferedTool));
			// Work of our own is stopped by no timer.
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
