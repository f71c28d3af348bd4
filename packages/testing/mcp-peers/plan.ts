type Tool = {
	name: string;
	title?: string;
	annotations?: { [hint: string]: unknown };
	description?: string;
	inputSchema: { type: "object" };
	outputSchema?: { type: "object" };
};

/** Answer of a tool. It echoes its arguments when a plan has none. */
export type PlannedCall = {
	result?: { [member: string]: unknown };
	/** Message of a protocol error. */
	error?: string;
	delayMs?: number;
	/** Values of the progress notifications that it sends first. */
	progress?: number[];
};

/** Behaviour of a test's own MCP server. */
export type Plan = {
	tools?: Tool[];
	/** Answers of tools by name. */
	calls?: { [tool: string]: PlannedCall };
	/** Tools on one page; all of them when absent. */
	pageSize?: number;
	/** Headers that every request has to bring with these values, else 401. */
	headers?: Record<string, string>;
	/** The first session is forgotten as soon as it is made. */
	losesFirstSession?: boolean;
	ttlMs?: number;
};
