type Tool = {
	name: string;
	title?: string;
	annotations?: { [hint: string]: unknown };
	description?: string;
	inputSchema: { type: "object" };
	outputSchema?: { type: "object" };
};

/** Behaviour of a test's own MCP server. */
export type Plan = {
	tools?: Tool[];
	/** Tools on one page; all of them when absent. */
	pageSize?: number;
	/** Headers that every request has to bring with these values, else 401. */
	headers?: Record<string, string>;
	/** The first session is forgotten as soon as it is made. */
	losesFirstSession?: boolean;
	ttlMs?: number;
};
