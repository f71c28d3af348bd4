// Main module of the dynamic Worker: one fresh isolate and one interpreter for each call.
import { RpcTarget, WorkerEntrypoint } from "cloudflare:workers";
import { type DiskLimits, limitDisk } from "./disk.ts";
import { boot, type RuntimeMeta } from "./loader.ts";
import { type LogLimits, Logs } from "./logs.ts";
import meta from "./meta.json";
import core from "./pyodide.asm.wasm";
import sentinel from "./sentinel.wasm";
import stdlib from "./stdlib.zip";
import trampoline from "./trampoline.wasm";
import { TimeLimit, Watchdog } from "./watchdog.ts";
import wrapVp from "./wrap-vp.wasm";

export type SandboxCall = {
	op: "introspect" | "run";
	source: string;
	arguments: Record<string, unknown>;
	/** All that the tool finds in its process environment. */
	environment: Record<string, string>;
	timeoutMs: number;
};

/** Work that a spare interpreter does before its call. */
export type Preparation = {
	/** Source to import; null leaves the import to the call. */
	source: string | null;
	timeoutMs: number;
};

export type SandboxEnv = {
	/** File names of the wheels; the bytes are modules `wheels/0`, `wheels/1` and so on. */
	WHEELS: string[];
	LIMITS: LogLimits & { graceMs: number; maxOutputBytes: number; disk: DiskLimits };
};

/** Response of the isolate. The caller must validate all of it. */
export type SandboxAnswer = {
	outcome: "answered" | "timed_out" | "exited" | "crashed" | "broken";
	/** Output of the harness; null if it wrote none. */
	payload: unknown;
	message: string;
	traceback: string | null;
	logs: string[];
	logs_truncated: boolean;
	boot_ms: number;
	heap_bytes: number;
};

// A deployed Worker freezes the clock while code runs, so a busy wait inside Python would never end. Python gets clocks
// that move with every look; the watchdog keeps the real one.
const now = Date.now.bind(Date);
Date.now = ticking(now);
performance.now = ticking(performance.now.bind(performance));
// Pyodide reports every interpreter that is torn down as a fault of its own.
console.error = console.warn = console.log = () => {};

export default class Sandbox extends WorkerEntrypoint<SandboxEnv> {
	/** Starts an interpreter and runs one call in it. */
	async call(call: SandboxCall): Promise<string> {
		return JSON.stringify(await new Session(this.env).call(call));
	}

	/** Starts an interpreter for one later call. @throws Error when it cannot be started, or the tool cannot be imported. */
	async prepare(preparation: Preparation): Promise<Spare> {
		const session = new Session(this.env);
		await session.prepare(preparation);
		return new Spare(session);
	}
}

/** An interpreter that waits for its one call. */
class Spare extends RpcTarget {
	#session: Session | undefined;

	constructor(session: Session) {
		super();
		this.#session = session;
	}

	/** Runs the call; null if the interpreter can run none, because it already has or did not keep still. */
	async call(call: SandboxCall): Promise<string | null> {
		const session = this.#session;
		this.#session = undefined;
		if (!session?.isReady()) return null;
		return JSON.stringify(await session.call(call));
	}
}

class Session {
	#env: SandboxEnv;
	#logs: Logs;
	#watchdog = new Watchdog(now);
	#bootMs = 0;
	#python: Pyodide | undefined;
	#harness: Harness | undefined;
	/** Path and file name of the wheels that are not unpacked yet. */
	#wheels: [string, string][] = [];
	#work: Promise<unknown> | undefined;

	constructor(env: SandboxEnv) {
		this.#env = env;
		this.#logs = new Logs(env.LIMITS);
	}

	/** Unpacks the wheels and imports the source, if one is given. From then on nothing may run until the call. */
	async prepare({ source, timeoutMs }: Preparation): Promise<void> {
		const { python, harness } = await this.#boot();
		const payload = { site: python._api.sitePackages, wheels: this.#wheels, source };
		const text = await this.#enter(harness, "prepare", payload, timeoutMs);
		this.#wheels = [];
		if (text !== "ready" || this.#watchdog.interrupted) throw new Error("the tool was not imported in time");
		this.#watchdog.hold();
	}

	isReady(): boolean {
		return this.#harness !== undefined && !this.#watchdog.torn;
	}

	async call(call: SandboxCall): Promise<SandboxAnswer> {
		try {
			const text = await this.#execute(call);
			if (this.#watchdog.interrupted) return this.#answer("timed_out", JSON.parse(text));
			return this.#answer("answered", JSON.parse(text));
		} catch (error) {
			return await this.#failed(error);
		} finally {
			this.#watchdog.stop();
		}
	}

	async #execute(call: SandboxCall): Promise<string> {
		const started = now();
		const { python, harness } = await this.#boot();
		this.#bootMs = now() - started;
		const payload = {
			site: python._api.sitePackages,
			wheels: this.#wheels,
			environment: call.environment,
			source: call.source,
			arguments: call.arguments,
			max_output_bytes: this.#env.LIMITS.maxOutputBytes,
		};
		return this.#enter(harness, call.op, payload, call.timeoutMs);
	}

	/** Starts the interpreter and takes the way out of it away, unless that is done. */
	async #boot(): Promise<{ python: Pyodide; harness: Harness }> {
		if (this.#python && this.#harness) return { python: this.#python, harness: this.#harness };
		const watchdog = this.#watchdog;
		const files = { core, trampoline, sentinel, wrapVp, stdlib, meta: meta as RuntimeMeta };
		const { python, seal } = await boot(files, { fuel: watchdog.fuel, signal: watchdog.signal });
		this.#python = python;
		python.setStdout(this.#logs.stream("stdout"));
		python.setStderr(this.#logs.stream("stderr"));
		python.setStdin({ error: true });
		const module = python._module;
		this.#wheels = await placeWheels(module, this.#env.WHEELS);
		const harness = python.pyimport("_parley.main");
		limitDisk(module.FS, this.#env.LIMITS.disk);
		python.unregisterJsModule("js");
		python.unregisterJsModule("pyodide_js");
		harness.seal?.();
		const entries = { introspect: harness.introspect, run: harness.run, prepare: harness.prepare };
		seal();
		module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
		this.#harness = entries;
		return { python, harness: entries };
	}

	/** Calls a function of the harness within the time limit. */
	async #enter(harness: Harness, op: keyof Harness, payload: object, timeoutMs: number): Promise<string> {
		const watchdog = this.#watchdog;
		const entry = harness[op];
		if (!entry) throw new Error(`no such call: ${op}`);
		watchdog.start(timeoutMs, this.#env.LIMITS.graceMs);
		this.#work = settle(entry.callPromising(JSON.stringify(payload)));
		const text = await Promise.race([this.#work, watchdog.expired]);
		watchdog.stop();
		if (typeof text !== "string") throw new Error("the harness gave no text");
		return text;
	}

	async #failed(error: unknown): Promise<SandboxAnswer> {
		const message = String(error instanceof Error ? error.message : error).slice(0, 2000);
		if (this.#watchdog.torn) {
			// Lets Pyodide write its report of the torn down interpreter.
			const pause = new Promise((resolve) => setTimeout(resolve, 100));
			await Promise.race([Promise.resolve(this.#work).catch(() => {}), pause]);
		}
		const traceback = this.#logs.takeStack(isFrameOfTool);
		if (error instanceof TimeLimit || this.#watchdog.torn || this.#watchdog.interrupted) {
			return this.#answer("timed_out", null, "", traceback);
		}
		if (/terminated with exit|ExitStatus/.test(message))
			return this.#answer("exited", null, message, traceback);
		const crash =
			error instanceof WebAssembly.RuntimeError ||
			/Maximum call stack|null function|out of bounds|unreachable/.test(message);
		return this.#answer(crash ? "crashed" : "broken", null, message, traceback);
	}

	#answer(
		outcome: SandboxAnswer["outcome"],
		payload: unknown,
		message = "",
		traceback: string | null = null,
	): SandboxAnswer {
		this.#logs.close();
		return {
			outcome,
			payload,
			message,
			traceback,
			logs: this.#logs.lines,
			logs_truncated: this.#logs.truncated,
			boot_ms: this.#bootMs,
			heap_bytes: this.#python?._module.HEAPU8.length ?? 0,
		};
	}
}

type Harness = Record<SandboxCall["op"] | "prepare", PyodideFunction | undefined>;

async function placeWheels(module: PyodideModule, names: string[]): Promise<[string, string][]> {
	const placed: [string, string][] = [];
	if (names.length > 0) module.FS.mkdirTree("/tmp/wheels");
	for (const [index, name] of names.entries()) {
		const path = `/tmp/wheels/${index}`;
		const specifier = `./wheels/${index}`;
		const { default: bytes }: { default: ArrayBuffer } = await import(specifier);
		module.FS.writeFile(path, new Uint8Array(bytes), { canOwn: true });
		placed.push([path, name]);
	}
	return placed;
}

/** An async tool answers with an awaitable inside the promise of the call. */
async function settle(work: Promise<unknown>): Promise<unknown> {
	const first = await work;
	return typeof first === "string" ? first : await first;
}

function isFrameOfTool(frame: string): boolean {
	return !frame.includes("/_parley/") && !/"\/lib\/python\d+\.zip\//.test(frame) && !frame.includes('"<');
}

function ticking(read: () => number): () => number {
	let last = 0;
	return () => {
		const time = read();
		last = time > last ? time : last + 0.001;
		return last;
	};
}
