// Text patches that make Pyodide's core run inside a dynamic Worker, under our control.
// Written against 314.0.7; each must match exactly once, else the build stops.

/** @typedef {{ why: string, from: string | RegExp, to: string }} Patch */

const PATH_MAX = 4096;
const NO_COPIES = "conversion to JavaScript objects is not available";

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
	{
		why: "no JavaScript copies of lists, dictionaries and buffers once the tool runs: no cap sees that memory",
		from: "function _python2js_add_to_cache(cache,pyparent,jsparent){try{",
		to: `function _python2js_add_to_cache(cache,pyparent,jsparent){try{if($sb.sealed)throw new Error("${NO_COPIES}");`,
	},
	{
		why: "the same for arrays of numbers",
		from: "function _python2js_buffer_inner(buf,itemsize,ndim,format,shape,strides,suboffsets){try{",
		to: `function _python2js_buffer_inner(buf,itemsize,ndim,format,shape,strides,suboffsets){try{if($sb.sealed)throw new Error("${NO_COPIES}");`,
	},
	{
		why: "paths as long as POSIX has them: to read one takes the square of its length, and nothing interrupts it",
		from: "getStr(ptr){var ret=UTF8ToString(ptr);return ret}",
		to: `getStr(ptr){if(!HEAPU8.subarray(ptr>>>0,(ptr>>>0)+${PATH_MAX}).includes(0))throw new FS.ErrnoError(37);return UTF8ToString(ptr)}`,
	},
	{
		why: "the same for what relative paths and symbolic links make of them",
		from: "linkloop:for(var nlinks=0;nlinks<40;nlinks++){",
		to: `linkloop:for(var nlinks=0;nlinks<40;nlinks++){if(path.length>=${PATH_MAX})throw new FS.ErrnoError(37);`,
	},
	{
		why: "no names are resolved; the made-up addresses would be kept for ever",
		from: "node=DNS.lookup_name(node);",
		to: "return-2;",
	},
	{
		why: "the same for the older calls",
		from: "res=inetPton6(name);if(res!==null){return name}var addr;",
		to: 'res=inetPton6(name);if(res!==null){return name}return"0.0.0.0";var addr;',
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
