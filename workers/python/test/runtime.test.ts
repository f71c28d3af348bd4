import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ensureRuntime, RUNTIME } from "../build/build-runtime.mjs";
import { instrument } from "../build/fuel.mjs";
import { applyPatches, PATCHES } from "../build/patches.mjs";
import { sha256 } from "./wheels.ts";

const pyodide = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
const scratch = mkdtempSync(join(tmpdir(), "parley-runtime-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const hashes = (folder: string) =>
	Object.fromEntries(readdirSync(folder).map((name) => [name, sha256(readFileSync(join(folder, name)))]));

test("a second build of the runtime gives the same bytes", async () => {
	const target = join(scratch, "runtime");
	const { id, built } = await ensureRuntime({ target });
	expect(built).toBe(true);
	expect(hashes(target)).toEqual(hashes(RUNTIME));
	expect(await ensureRuntime({ target })).toEqual({ id, built: false });
});

test("the interpreter is pinned and brings no install script", () => {
	const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
	const { scripts = {}, version } = JSON.parse(readFileSync(join(pyodide, "package.json"), "utf8"));
	expect(manifest.devDependencies.pyodide).toBe(version);
	expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
});

describe("patches", () => {
	const source = readFileSync(join(pyodide, "pyodide.asm.mjs"), "utf8");
	test("match exactly once each, and not a second time", () => {
		const { text } = applyPatches(source);
		expect(() => applyPatches(text)).toThrow(/matched 0 times/);
	});
	test("that find two places stop the build", () => {
		const twice = PATCHES.find(({ from }) => typeof from === "string");
		expect(() => applyPatches(`${source}${twice?.from}`)).toThrow(/matched 2 times/);
	});
});

describe("fuel", () => {
	// (module (import "e" "tick" (func (result i32))) (memory (export "memory") 1) (global (mut i32) (i32.const 0))
	//   (func (export "spin") (param i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))
	const module = Buffer.from(
		"0061736d0100000001090260017f006000017f020a010165047469636b00010302010005030100010606017f0141000b0711" +
			"02047370696e0001066d656d6f727902000a10010e000340200041016b22000d000b0b",
		"hex",
	);
	test("is taken once per loop round, and memory has a maximum", () => {
		const { wasm, loops } = instrument(module, { helper: "tick", interval: 10, maxPages: 2 });
		let ticks = 0;
		const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(wasm)), {
			e: { tick: () => ++ticks },
		});
		const { spin, memory } = instance.exports as { spin: (n: number) => void; memory: WebAssembly.Memory };
		spin(100);
		expect({ loops, ticks }).toEqual({ loops: 1, ticks: 10 });
		expect(() => memory.grow(5)).toThrow();
	});
});
