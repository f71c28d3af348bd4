import { toNodeHandler } from "@modelcontextprotocol/node";
import { type CallToolResult, createMcpHandler, Server, type Tool } from "@modelcontextprotocol/server";
import { type Loopback, startLoopback } from "@parley/testing/loopback";

export type CallableTool = Tool & {
	call: (
		given: Record<string, unknown>,
		report: (progress: number, total: number) => Promise<void>,
	) => CallToolResult | Promise<CallToolResult>;
};

/** An MCP server of the official package whose tools a test defines, and may change while it runs. */
export async function startCallable(
	tools: CallableTool[],
): Promise<Loopback & { replace: (tool: CallableTool) => void }> {
	const offered = new Map(tools.map((tool) => [tool.name, tool]));
	const handler = toNodeHandler(createMcpHandler(() => createServer(offered), { legacy: "stateless" }));
	const loopback = await startLoopback((request, response) => void handler(request, response));
	return {
		...loopback,
		url: `${loopback.url}/mcp`,
		replace: (tool) => void offered.set(tool.name, tool),
	};
}

function createServer(offered: ReadonlyMap<string, CallableTool>): Server {
	const server = new Server({ name: "callable", version: "1.0.0" }, { capabilities: { tools: {} } });
	server.setRequestHandler("tools/list", async () => ({
		tools: [...offered.values()].map(({ call, ...tool }) => tool),
	}));
	server.setRequestHandler("tools/call", async ({ params }, ctx) => {
		const tool = offered.get(params.name);
		if (!tool) throw new Error(`${params.name} is not offered`);
		const { progressToken } = ctx.mcpReq._meta ?? {};
		const report = async (progress: number, total: number) => {
			if (progressToken === undefined) return;
			await ctx.mcpReq.notify({
				method: "notifications/progress",
				params: { progressToken, progress, total },
			});
		};
		return server.projectCallToolResult(await tool.call(params.arguments ?? {}, report), tool.outputSchema);
	});
	return server;
}

export const textResult = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });
