// Builds dist/runtime from the npm package "pyodide": patched core, instrumented wasm, precompiled standard library and
// the isolate's own modules. No network; the same inputs give the same bytes.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { instrument } from "./fuel.mjs";
import { applyPatches, FUEL_IMPORT } from "./patches.mjs";

const WORKER = fileURLToPath(new URL("..", import.meta.url));
const ISOLATE = join(WORKER, "src", "isolate");
const HARNESS = join(ISOLATE, "harness");
const PYODIDE = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
const MEMORY_PAGES = 1280; // of 64 KiB: 80 MiB of Python memory inside an isolate of 128 MB
// (module (import "e" "f" (func (param i32))) (export "f" (func 0)))
const WRAP_VP = Buffer.from("0061736d0100000001050160017f0002070101650166000007050101660000", "hex");

/** Folder from which the worker imports the runtime. */
export const RUNTIME = join(WORKER, "dist", "runtime");

/**
 * Makes the runtime unless the one in `target` was built from today's inputs. Safe to call from several processes.
 * @param {{ target?: string, force?: boolean, log?: (line: string) => void }} options
 * @returns {Promise<{ id: string, built: boolean }>} the BUILD_ID, a hash of the inputs
 */
export async function ensureRuntime({ target = RUNTIME, force = false, log = () => {} } = {}) {
	const id = await inputHash();
	const isCurrent = async () => {
		const stamp = join(target, "BUILD_ID");
		return existsSync(stamp) && (await readFile(stamp, "utf8")) === id;
	};
	if (!force && (await isCurrent())) return { id, built: false };
	log("building the Python runtime");
	await mkdir(dirname(target), { recursive: true });
	const work = await mkdtemp(join(dirname(target), ".runtime-"));
	try {
		await buildInto(work, id);
		// A process that built at the same time may be using its result already.
		if (!force && (await isCurrent())) return { id, built: false };
		await rm(target, { recursive: true, force: true });
		await rename(work, target).catch(async (error) => {
			if (!(await isCurrent())) throw error;
		});
	} finally {
		await rm(work, { recursive: true, force: true });
	}
	return { id, built: true };
}

async function inputHash() {
	const hash = createHash("sha256");
	const folders = [import.meta.dirname, ISOLATE, HARNESS];
	const files = [
		"package.json",
		"pyodide.asm.mjs",
		"pyodide.asm.wasm",
		"pyodide.mjs",
		"pyodide-lock.json",
		"python_stdlib.zip",
	];
	const inputs = files.map((name) => [`pyodide/${name}`, join(PYODIDE, name)]);
	for (const folder of folders) {
		const names = (await readdir(folder)).filter(
			(name) => /\.(mjs|ts|py)$/.test(name) && !/\.test\.ts$/.test(name),
		);
		for (const name of names.sort()) inputs.push([name, join(folder, name)]);
	}
	for (const [name, path] of inputs) {
		const bytes = await readFile(path);
		hash.update(`${name}\0${bytes.length}\0`).update(bytes);
	}
	return hash.digest("hex");
}

async function buildInto(out, id) {
	const read = (name) => readFile(join(PYODIDE, name));
	const write = (name, data) => writeFile(join(out, name), data);
	const core = applyPatches((await read("pyodide.asm.mjs")).toString());
	const publicLoader = (await read("pyodide.mjs")).toString();
	await write("pyodide.asm.mjs", core.text);
	await write("trampoline.wasm", core.trampoline);
	await write("sentinel.wasm", Buffer.from(capture(publicLoader, /W\("([A-Za-z0-9+/=]+)"\)/), "base64"));
	await write("wrap-vp.wasm", WRAP_VP);
	const { wasm } = instrument(await read("pyodide.asm.wasm"), {
		helper: FUEL_IMPORT,
		maxPages: MEMORY_PAGES,
	});
	await write("pyodide.asm.wasm", wasm);
	await write("meta.json", JSON.stringify(await describe(publicLoader)));
	await bundle(out);
	const child = [
		join(import.meta.dirname, "compile-stdlib.mjs"),
		out,
		join(PYODIDE, "python_stdlib.zip"),
		HARNESS,
		join(out, "stdlib.bin"),
	];
	await promisify(execFile)(process.execPath, child);
	// The worker imports its guest's sources as text.
	for (const name of ["runner.mjs", "pyodide.asm.mjs", "meta.json"]) {
		await copyFile(join(out, name), join(out, `${name}.txt`));
	}
	for (const name of ["runner.mjs", "loader.mjs", "pyodide.asm.mjs", "meta.json"]) await rm(join(out, name));
	await write("id.txt", id);
	await write("BUILD_ID", id);
}

async function describe(publicLoader) {
	const parse = async (name) => JSON.parse(await readFile(join(PYODIDE, name), "utf8"));
	const { info } = await parse("pyodide-lock.json");
	return {
		pyodide: (await parse("package.json")).version,
		python: info.python,
		abi: info.abi_version,
		platform: info.platform,
		buildId: capture(publicLoader, /BUILD_ID:"([0-9a-f]{64})"/),
	};
}

async function bundle(out) {
	await build({
		absWorkingDir: ISOLATE,
		entryPoints: ["runner.ts", "loader.ts"],
		outdir: out,
		outExtension: { ".js": ".mjs" },
		bundle: true,
		format: "esm",
		target: "es2024",
		external: ["cloudflare:workers", "./pyodide.asm.mjs", "*.wasm", "*.zip", "*.json", "./wheels/*"],
		logLevel: "warning",
	});
}

function capture(text, pattern) {
	const found = pattern.exec(text)?.[1];
	if (!found) throw new Error(`${pattern} is not in Pyodide's loader`);
	return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { id, built } = await ensureRuntime({ force: process.argv.includes("--force"), log: console.log });
	console.log(`${built ? "built" : "up to date"}: ${id}`);
}
