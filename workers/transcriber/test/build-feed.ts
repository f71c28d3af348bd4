// The batch worker's feed of job events as a worker beside the one under test.
import { build } from "esbuild";

export async function buildFeed() {
	const { outputFiles } = await build({
		stdin: {
			contents: `export { JobFeed } from "@parley/batch/events/job-feed";
				export default { fetch: () => new Response(null, { status: 404 }) };`,
			resolveDir: import.meta.dirname,
			loader: "ts",
		},
		bundle: true,
		format: "esm",
		target: "es2024",
		external: ["cloudflare:workers"],
		write: false,
	});
	return {
		name: "parley-batch",
		compatibilityDate: "2026-09-18",
		modules: [{ type: "ESModule" as const, path: "worker.mjs", contents: outputFiles[0]?.text ?? "" }],
		durableObjects: { JOB_FEED: { className: "JobFeed", useSQLite: true } },
	};
}
