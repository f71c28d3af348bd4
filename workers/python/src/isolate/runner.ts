// Main module of the dynamic Worker: one fresh isolate and one interpreter for each call.
import { WorkerEntrypoint } from "cloudflare:workers";
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
	timeoutMs: number;
};

export type SandboxEnv = {
	/** All that the tool finds in its process environment. */
	ENVIRONMENT: Record<string, string>;
	/** File names of the wheels; the bytes are modules `wheels/0`, `wheels/1` and so on. */
	WHEELS: string[];
	LIMITS: LogLimits & { graceMs: number; maxOutputBytes: number; disk: DiskLimits };
};

/** What the isolate answers, as JSON text. The caller trusts none of it. */
export type SandboxAnswer = {
	outcome: "answered" | "timed_out" | "exited" | "crashed" | "broken";
	/** What the harness wrote; null when it did not get to it. */
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
	async call(call: SandboxCall): Promise<string> {
		const session = new Session(this.env);
		const answer = await session.call(call);
		return JSON.stringify(answer);
	}
}

class Session {
	#env: SandboxEnv;
	#logs: Logs;
	#watchdog = new Watchdog(now);
	#started = now();
	#bootMs = 0;
	#python: Pyodide | undefined;
	#work: Promise<unknown> | undefined;

	constructor(env: SandboxEnv) {
		this.#env = env;
		this.#logs = new Logs(env.LIMITS);
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
		const watchdog = this.#watchdog;
		const files = { core, trampoline, sentinel, wrapVp, stdlib, meta: meta as RuntimeMeta };
		const { python, seal } = await boot(files, { fuel: watchdog.fuel, signal: watchdog.signal });
		this.#python = python;
		python.setStdout(this.#logs.stream("stdout"));
		python.setStderr(this.#logs.stream("stderr"));
		python.setStdin({ error: true });
		const module = python._module;
		const wheels = await placeWheels(module, this.#env.WHEELS);
		const harness = python.pyimport("_parley.main");
		limitDisk(module.FS, this.#env.LIMITS.disk);
		python.unregisterJsModule("js");
		python.unregisterJsModule("pyodide_js");
		harness.seal?.();
		const entry = harness[call.op];
		if (!entry) throw new Error(`no such call: ${call.op}`);
		const payload = JSON.stringify({
			site: python._api.sitePackages,
			wheels,
			environment: this.#env.ENVIRONMENT,
			source: call.source,
			arguments: call.arguments,
			max_output_bytes: this.#env.LIMITS.maxOutputBytes,
		});
		seal();
		this.#bootMs = now() - this.#started;
		module.HEAP8[module._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
		watchdog.start(call.timeoutMs, this.#env.LIMITS.graceMs);
		this.#work = settle(entry.callPromising(payload));
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
