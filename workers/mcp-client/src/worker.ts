import { WorkerEntrypoint } from "cloudflare:workers";
import type { ConnectResult } from "@parley/contracts/agents/mcp-servers";
import type {
	McpCallOutcome,
	McpClientRpc,
	McpServerRef,
	McpToolCall,
	ProgressNotice,
} from "@parley/contracts/internal/mcp-client-rpc";
import { sessionOf } from "./mcp-session.ts";
import { resumeRefreshes } from "./refresh/resume-refreshes.ts";

export { McpSession } from "./mcp-session.ts";

export class McpClient extends WorkerEntrypoint<Env> implements McpClientRpc {
	connectNow(ref: McpServerRef): Promise<ConnectResult | null> {
		return sessionOf(this.env, ref).connectNow(ref);
	}

	watch(ref: McpServerRef): Promise<void> {
		return sessionOf(this.env, ref).watch(ref);
	}

	reconfigure(ref: McpServerRef): Promise<void> {
		return sessionOf(this.env, ref).reconfigure(ref);
	}

	callTool(
		ref: McpServerRef,
		call: McpToolCall,
		onProgress?: (progress: ProgressNotice) => void,
	): Promise<McpCallOutcome> {
		return sessionOf(this.env, ref).callTool(ref, call, onProgress);
	}

	cancelTool(ref: McpServerRef, callId: string): Promise<void> {
		return sessionOf(this.env, ref).cancelTool(callId);
	}

	forget(ref: McpServerRef): Promise<void> {
		return sessionOf(this.env, ref).forget();
	}
}

export default {
	fetch: () => new Response(null, { status: 404 }),
	scheduled: async (_event, env) => resumeRefreshes(env, new Date()),
} satisfies ExportedHandler<Env>;
