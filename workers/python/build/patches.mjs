// Text patches that make Pyodide's core run inside a dynamic Worker, under our control.
// Written against 314.0.7; each must match exactly once, else the build stops.

/** @typedef {{ why: string, from: string | RegExp, to: string }} Patch */

/** @type {Patch[]} */
export const PATCHES = [
	{
		why: "settings captured in a closure, out of reach of Python code",
		from: "async function _createPyodideModule(moduleArg={}){var moduleRtn;var Module=moduleArg;",
		to: "async function _createPyodideModule(moduleArg={}){var moduleRtn;var Module=moduleArg;const $sb=moduleArg.sandbox;delete moduleArg.sandbox;",
	},
	{
		why: "environment: neither Node nor a page",
		from: 'var ENVIRONMENT_IS_WEB=!!globalThis.window;var ENVIRONMENT_IS_WORKER=!!globalThis.WorkerGlobalScope;var ENVIRONMENT_IS_NODE=globalThis.process?.versions?.node&&globalThis.process?.type!="renderer";',
		to: "var ENVIRONMENT_IS_WEB=false;var ENVIRONMENT_IS_WORKER=true;var ENVIRONMENT_IS_NODE=false;",
	},
	{
		why: "wasm-gc call trampoline: precompiled",
		from: /function getWasmTrampolineModule\(\)\{return new WebAssembly\.Module\(hexStringToUTF8Array\("([0-9a-f]+)"\)\)\}/,
		to: "function getWasmTrampolineModule(){return $sb.trampoline}",
	},
	{
		why: "stack switching: do not probe by compiling",
		from: "var canConstructWasm=true;try{new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0]))}catch(e){canConstructWasm=false}",
		to: "var canConstructWasm=$sb.jspi;",
	},
	{
		why: "JS function pointers: only the six console helpers (signature vp) are wrapped, with a precompiled module",
		from: "var module=new WebAssembly.Module(bytes);var instance=new WebAssembly.Instance(module,{e:{f:func}})",
		to: 'if(sig!=="vp")throw new WebAssembly.CompileError("no precompiled wrapper for "+sig);var instance=new WebAssembly.Instance($sb.wrapVp,{e:{f:func}})',
	},
	{
		why: "JS function pointers: leave the unused graphics ones null",
		from: "entry.value=addFunction(value,value.sig)",
		to: 'entry.value=value.sig==="vp"?addFunction(value,value.sig):0',
	},
	{
		why: "interrupt check asks the watchdog",
		from: "function _Py_CheckEmscriptenSignals_Helper(){if(!Module.Py_EmscriptenSignalBuffer){return 0}try{let result=Module.Py_EmscriptenSignalBuffer[0];Module.Py_EmscriptenSignalBuffer[0]=0;return result}catch(e){return 0}}",
		to: "function _Py_CheckEmscriptenSignals_Helper(){return $sb.signal?$sb.signal():0}",
	},
	{
		why: "loop fuel: an unused () -> i32 import becomes the fuel callback",
		from: /function emscripten_set_up_async_input_device_js\(\)\{.*?return!!WebAssembly\.promising\}/,
		to: "function emscripten_set_up_async_input_device_js(){return $sb.fuel?$sb.fuel():0}",
	},
	{
		why: "JavaScript objects that Python holds answer no attribute once the tool runs",
		from: "function JsProxy_GetAttr_js(jsobj,ptrkey){try{",
		to: "function JsProxy_GetAttr_js(jsobj,ptrkey){try{if($sb.sealed)return Module.error;",
	},
];

/** The import that the fuel patch takes over. */
export const FUEL_IMPORT = "emscripten_set_up_async_input_device_js";

// workerd refuses both; a new Pyodide that uses one of them needs a further patch.
const FORBIDDEN = ["new Function(", "WebAssembly.compile("];

/**
 * Patches the text of `pyodide.asm.mjs`.
 * @param {string} source
 * @returns {{ text: string, trampoline: Uint8Array }} the patched text and the wasm module it used to compile at run time
 */
export function applyPatches(source) {
	let text = source;
	let trampolineHex = "";
	for (const { why, from, to } of PATCHES) {
		const { count, captured } = occurrences(text, from);
		if (count !== 1) throw new Error(`patch "${why}" matched ${count} times`);
		trampolineHex ||= captured ?? "";
		text = text.replace(from, () => to);
	}
	for (const call of FORBIDDEN) if (text.includes(call)) throw new Error(`unexpected ${call} in Pyodide`);
	return { text, trampoline: Buffer.from(trampolineHex, "hex") };
}

/**
 * @param {string} text
 * @param {string | RegExp} what
 * @returns {{ count: number, captured: string | undefined }}
 */
function occurrences(text, what) {
	if (typeof what === "string") return { count: text.split(what).length - 1, captured: undefined };
	const matches = [...text.matchAll(new RegExp(what.source, "g"))];
	return { count: matches.length, captured: matches[0]?.[1] };
}
