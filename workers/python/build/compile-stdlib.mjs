// Child of the runtime build: boots the patched interpreter and lets it compile its own standard library, with our
// harness inside, to a zip of .pyc files. That halves the boot.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, stdlib, harness, target] = process.argv.slice(2);
const { boot } = await import(pathToFileURL(join(runtime, "loader.mjs")).href);
const compiled = (name) => new WebAssembly.Module(readFileSync(join(runtime, name)));
const { python } = await boot(
	{
		core: compiled("pyodide.asm.wasm"),
		trampoline: compiled("trampoline.wasm"),
		sentinel: compiled("sentinel.wasm"),
		wrapVp: compiled("wrap-vp.wasm"),
		stdlib: readFileSync(stdlib),
		meta: JSON.parse(readFileSync(join(runtime, "meta.json"), "utf8")),
	},
	// A fixed hash seed keeps the order of constant sets, and with it the bytes, the same in every build.
	{ stackSwitching: false, environment: { PYTHONHASHSEED: "0" } },
);
python.FS.mkdirTree("/harness");
for (const name of readdirSync(harness).sort()) {
	if (name.endsWith(".py")) python.FS.writeFile(`/harness/${name}`, readFileSync(join(harness, name)));
}
python.runPython(readFileSync(join(import.meta.dirname, "compile_stdlib.py"), "utf8"));
writeFileSync(target, python.FS.readFile("/out.zip"));
process.exit(0);
