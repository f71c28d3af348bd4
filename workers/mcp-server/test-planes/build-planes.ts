// The real planes as workers beside the one under test, built as a deployment would build them.
import { join } from "node:path";
import { build } from "esbuild";

const BINDINGS = {
	...{ EGRESS_ALLOW_LOOPBACK: "true", EGRESS_OWN_PORTS: "", EGRESS_RESOLVER: "", CORS_ORIGINS: "" },
	...{ LEGACY_KEYS_UNTIL: "", RATE_LIMIT_SCALE: "1000" },
	VAULT_KEK: "test:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
};

/** Workers that a plane binds, which no test here calls. */
const STAND_IN = `import { WorkerEntrypoint } from "cloudflare:workers";
export class PythonSandbox extends WorkerEntrypoint {}
export class McpClient extends WorkerEntrypoint {}
export default { fetch: () => new Response(null, { status: 404 }) };`;

const shared = {
	compatibilityDate: "2026-09-18",
	compatibilityFlags: ["nodejs_compat", "global_fetch_strictly_public"],
};

const moduleOf = (contents: string) => ({
	modules: [{ type: "ESModule" as const, path: "worker.mjs", contents }],
});

export const buildPlanes = async () => [
	{ name: "stand-in", ...shared, ...moduleOf(STAND_IN) },
	await buildPlane(
		"agents",
		{
			PYTHON: { name: "stand-in", entrypoint: "PythonSandbox" },
			MCP_CLIENT: { name: "stand-in", entrypoint: "McpClient" },
		},
		{ CALL_LIMITER: { className: "CallLimiter", useSQLite: true } },
	),
	await buildPlane("batch", {}, { JOB_FEED: { className: "JobFeed", useSQLite: true } }),
];

async function buildPlane(
	plane: "agents" | "batch",
	serviceBindings: Record<string, { name: string; entrypoint: string }>,
	durableObjects: Record<string, { className: string; useSQLite: true }> = {},
) {
	const { outputFiles } = await build({
		entryPoints: [join(import.meta.dirname, `../../${plane}/src/worker.ts`)],
		bundle: true,
		format: "esm",
		target: "es2024",
		conditions: ["workerd", "worker", "browser"],
		external: ["cloudflare:*", "node:*"],
		write: false,
	});
	return {
		name: `parley-${plane}`,
		...shared,
		...moduleOf(outputFiles[0]?.text ?? ""),
		bindings: BINDINGS,
		serviceBindings,
		d1Databases: { DB: "00000000-0000-4000-8000-000000000001" },
		r2Buckets: { MEDIA: "parley-media" },
		durableObjects: { LIMITER: { className: "RateLimiter", useSQLite: true as const }, ...durableObjects },
	};
}
