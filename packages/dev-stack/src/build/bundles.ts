// The size of each worker as it would be uploaded.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "../processes/processes.ts";
import { configPath, MAIN_WORKERS, root, type Worker } from "../settings/configs.ts";

/** Minified and gzipped, in bytes. The python worker carries an interpreter, the decoder FFmpeg: they are not held to it. */
export const MAX_BUNDLE_GZIP_BYTES = 300_000;
const GATED = MAIN_WORKERS.filter((worker) => worker !== "decoder");

export type Bundle = { worker: Worker; bytes: number; gzipBytes: number };

/** Builds every gated worker as a deployment would, without uploading it. */
export const measureBundles = (): Bundle[] => GATED.map(measure);

function measure(worker: Worker): Bundle {
	const out = mkdtempSync(join(tmpdir(), "parley-bundle-"));
	try {
		run([
			"wrangler",
			"deploy",
			"--dry-run",
			"--minify",
			"--outdir",
			out,
			"-c",
			configPath(worker),
			"--cwd",
			root,
		]);
		const files = readdirSync(out, { recursive: true, withFileTypes: true })
			.filter((file) => file.isFile() && /\.(js|wasm|bin)$/.test(file.name))
			.map((file) => readFileSync(join(file.parentPath, file.name)));
		const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
		return {
			worker,
			bytes: sum(files.map((file) => file.byteLength)),
			gzipBytes: sum(files.map((file) => gzipSync(file).byteLength)),
		};
	} finally {
		rmSync(out, { recursive: true, force: true });
	}
}
