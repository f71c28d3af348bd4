// Boots the patched Pyodide core from precompiled modules: in the dynamic Worker, and in Node while the runtime is built.
// Pyodide's own loader wants a location, fetch and streaming compilation, which a sandbox does not have.
import createPyodideModule from "./pyodide.asm.mjs";

export type RuntimeMeta = { pyodide: string; python: string; abi: string; platform: string; buildId: string };

export type RuntimeFiles = {
	core: WebAssembly.Module;
	trampoline: WebAssembly.Module;
	sentinel: WebAssembly.Module;
	wrapVp: WebAssembly.Module;
	stdlib: ArrayBuffer | Uint8Array;
	meta: RuntimeMeta;
};

export type BootOptions = {
	/** Called every 2^20 loop iterations; may throw to tear the interpreter down. */
	fuel?: () => number;
	/** Called by the interpreter's interrupt check; a signal number, or 0. */
	signal?: () => number;
	/** Whether WebAssembly stack switching is there. */
	stackSwitching?: boolean;
	environment?: Record<string, string>;
};

const HOME = "/home/pyodide";
const RUNTIME_ENVIRONMENT = {
	IN_WORKERD: true,
	IN_BROWSER: true,
	IN_NODE: false,
	IN_NODE_COMMONJS: false,
	IN_NODE_ESM: false,
	IN_BUN: false,
	IN_DENO: false,
	IN_SAFARI: false,
	IN_SHELL: false,
	IN_BROWSER_MAIN_THREAD: false,
	IN_BROWSER_WEB_WORKER: false,
};

// Without Node's globals Pyodide would listen for messages in the capture phase instead, which workerd refuses.
const scope = globalThis as unknown as Record<string, unknown>;
scope.setImmediate ??= (run: (...args: unknown[]) => void, ...args: unknown[]) => setTimeout(run, 0, ...args);
scope.clearImmediate ??= (timer: number) => clearTimeout(timer);

/** A started interpreter. `seal` ends Python's access to attributes of JavaScript objects. */
export async function boot(
	files: RuntimeFiles,
	options: BootOptions = {},
): Promise<{ python: Pyodide; seal: () => void }> {
	const { meta } = files;
	const lock = {
		info: {
			abi_version: meta.abi,
			arch: "wasm32",
			platform: meta.platform,
			python: meta.python,
			version: meta.pyodide,
		},
		packages: {},
	};
	const api = {
		config: {
			jsglobals: {},
			indexURL: "/",
			packageBaseUrl: "",
			packageCacheDir: "",
			cdnUrl: "",
			args: [],
			packages: [],
			env: { HOME, PYTHONINSPECT: "1", ...options.environment },
			enableRunUntilComplete: true,
			checkAPIVersion: true,
			BUILD_ID: meta.buildId,
			lockFileContents: lock,
		},
		runtimeEnv: RUNTIME_ENVIRONMENT,
		lockFilePromise: Promise.resolve(lock),
	} as unknown as PyodideApi;
	// Read by the patched core, which keeps it in a closure.
	const sandbox = {
		trampoline: files.trampoline,
		wrapVp: files.wrapVp,
		jspi: options.stackSwitching ?? true,
		fuel: options.fuel,
		signal: options.signal,
		sealed: false,
	};
	let exitCode: number | undefined;
	const { promise: refused, reject } = Promise.withResolvers<never>();
	const module = await Promise.race([
		createPyodideModule({
			API: api,
			arguments: [],
			noImageDecoding: true,
			noAudioDecoding: true,
			noWasmDecoding: true,
			locateFile: (path: string) => path,
			onExit: (code: number) => {
				exitCode = code;
			},
			preRun: [(m: PyodideModule) => layOutFiles(m, api, files.stdlib)],
			instantiateWasm: instantiator(files, reject),
			sandbox,
		}),
		refused,
	]);
	if (exitCode !== undefined) throw new Error(`Python exited at its start with code ${exitCode}`);
	const python = module && api.finalizeBootstrap(undefined, undefined);
	api.sys.path.insert(0, "");
	api._pyodide.set_excepthook();
	await api.packageIndexReady;
	api.initializeStreams(undefined, undefined, undefined);
	return {
		python,
		seal: () => {
			sandbox.sealed = true;
		},
	};
}

function layOutFiles(module: PyodideModule, api: PyodideApi, stdlib: ArrayBuffer | Uint8Array) {
	const version = module.HEAPU32[module._Py_Version >>> 2] ?? 0;
	const [major, minor, patch] = [(version >>> 24) & 255, (version >>> 16) & 255, (version >>> 8) & 255];
	api.pyVersionTuple = [major, minor, patch];
	const library = `/lib/python${major}.${minor}`;
	api.sitePackages = `${library}/site-packages`;
	for (const folder of [api.sitePackages, `${library}/lib-dynload`, HOME]) module.FS.mkdirTree(folder);
	module.FS.writeFile(`/lib/python${major}${minor}.zip`, new Uint8Array(stdlib), { canOwn: true });
	module.FS.chdir(HOME);
	Object.assign(module.ENV, api.config.env);
}

type Imports = { env: Record<string, unknown> };

function instantiator(files: RuntimeFiles, reject: (error: unknown) => void) {
	const sentinel = new WebAssembly.Instance(files.sentinel).exports;
	return (imports: Imports, done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void) => {
		imports.env.Jsv_GetError_import = sentinel.Jsv_GetError_import;
		imports.env.JsvError_Check = sentinel.JsvError_Check;
		(WebAssembly.instantiate(files.core, imports as never) as Promise<WebAssembly.Instance>).then(
			(instance) => done(instance, files.core),
			reject,
		);
		return {};
	};
}
