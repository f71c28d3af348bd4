import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@parley/dev-stack/processes/processes";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig } from "wrangler";

/**
 * A worker without bindings in workerd, built as for a deployment. The test harness of wrangler would send its requests
 * through Node's fetch, and that is not what is tested.
 */
export async function startWorker(config: string): Promise<{ url: string; stop: () => Promise<void> }> {
	const out = mkdtempSync(join(tmpdir(), "parley-worker-"));
	run(["wrangler", "deploy", "--dry-run", "--outdir", out, "-c", config]);
	const { name, compatibility_date, compatibility_flags } = unstable_readConfig(
		{ config },
		{ hideWarnings: true },
	);
	const worker = {
		...{ name, modules: true, modulesRoot: out, scriptPath: join(out, "worker.js") },
		...{ compatibilityDate: compatibility_date, compatibilityFlags: compatibility_flags },
	};
	// What the worker logs is the client library's advice to the suite's peculiar servers.
	const quiet = { structuredWorkerdLogs: true, handleStructuredLogs: () => undefined };
	const options = { workers: [worker], cf: false, port: 0, ...quiet };
	const server = new Miniflare(convertV4MiniflareOptions(options as never));
	const url = String(await server.ready);
	return {
		url,
		stop: async () => {
			await server.dispose();
			rmSync(out, { recursive: true, force: true });
		},
	};
}
