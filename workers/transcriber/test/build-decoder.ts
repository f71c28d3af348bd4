// The real decoder as a worker beside the one under test, built as a deployment would build it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

const WASM = "@parley/decoder/assets/decoder.wasm";

export async function buildDecoder() {
	const { outputFiles } = await build({
		entryPoints: [join(import.meta.dirname, "../../decoder/src/worker.ts")],
		bundle: true,
		format: "esm",
		target: "es2024",
		external: ["cloudflare:workers", WASM],
		write: false,
	});
	const script = outputFiles[0]?.text.replace(WASM, "./decoder.wasm") ?? "";
	const wasm = readFileSync(createRequire(import.meta.url).resolve(WASM));
	return {
		name: "parley-decoder",
		compatibilityDate: "2026-09-18",
		modules: [
			{ type: "ESModule" as const, path: "worker.mjs", contents: script },
			{ type: "CompiledWasm" as const, path: "decoder.wasm", contents: wasm },
		],
	};
}
