import runtimeId from "../dist/runtime/id.txt";
import metaText from "../dist/runtime/meta.json.txt";
import coreText from "../dist/runtime/pyodide.asm.mjs.txt";
import core from "../dist/runtime/pyodide.asm.wasm";
import runnerText from "../dist/runtime/runner.mjs.txt";
import sentinel from "../dist/runtime/sentinel.wasm";
import stdlib from "../dist/runtime/stdlib.bin";
import trampoline from "../dist/runtime/trampoline.wasm";
import wrapVp from "../dist/runtime/wrap-vp.wasm";

/** Changes whenever the interpreter, its patches, the standard library or the harness change. */
export const RUNTIME_ID = runtimeId.slice(0, 16);

type Meta = { python: string };

/** Version of the interpreter, such as 3.14.2. */
export const PYTHON_VERSION = (JSON.parse(metaText) as Meta).python;

/** The modules of the dynamic Worker. `wasm` as compiled modules shares their code between isolates. */
export function sandboxModules(wheels: ArrayBuffer[]): Record<string, WorkerLoaderModule> {
	return {
		"runner.mjs": { js: runnerText },
		"pyodide.asm.mjs": { js: coreText },
		"meta.json": { json: JSON.parse(metaText) },
		"pyodide.asm.wasm": { wasm: core },
		"trampoline.wasm": { wasm: trampoline },
		"sentinel.wasm": { wasm: sentinel },
		"wrap-vp.wasm": { wasm: wrapVp },
		"stdlib.zip": { data: stdlib },
		...Object.fromEntries(wheels.map((bytes, index) => [`wheels/${index}`, { data: bytes }])),
	};
}
