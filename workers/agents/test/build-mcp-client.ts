// The real mcp-client as a worker beside the one under test, built as a deployment would build it.
import { join } from "node:path";
import { build } from "esbuild";

export async function buildMcpClient(bindings: Record<string, string>) {
	const { outputFiles } = await build({
		entryPoints: [join(import.meta.dirname, "../../mcp-client/src/worker.ts")],
		bundle: true,
		format: "esm",
		target: "es2024",
		conditions: ["workerd", "worker", "browser"],
		external: ["cloudflare:*", "node:*"],
		write: false,
	});
	return {
		name: "parley-mcp-client",
		compatibilityDate: "2026-09-18",
		compatibilityFlags: ["nodejs_compat", "global_fetch_strictly_public"],
		modules: [{ type: "ESModule" as const, path: "worker.mjs", contents: outputFiles[0]?.text ?? "" }],
		bindings: { EGRESS_OWN_PORTS: "", EGRESS_RESOLVER: "", ...bindings },
		d1Databases: { DB: "00000000-0000-4000-8000-000000000001" },
		r2Buckets: { MEDIA: "parley-media" },
		durableObjects: { MCP_SESSION: { className: "McpSession", useSQLite: true } },
	};
}
