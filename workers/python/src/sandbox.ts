import { PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";
import { z } from "zod";
import type { Ctx } from "./context.ts";
import type { Preparation, SandboxCall, SandboxEnv } from "./isolate/runner.ts";
import { takePlace } from "./places.ts";
import { CUT_SLACK_BYTES } from "./printed.ts";
import { sandboxModules } from "./runtime.ts";

export type Wheel = { filename: string; bytes: ArrayBuffer };

export type SandboxRequest = SandboxCall & { wheels: Wheel[] };

const GRACE_MS = 250;
const BOOT_CPU_MS = 8_000;
// Beyond the sandbox's own limit: reached only when the platform lost the isolate without a word.
const LOST_AFTER_MS = 30_000;
const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;
const COMPATIBILITY_DATE = "2026-09-18";

const Answer = z.object({
	outcome: z.enum(["answered", "timed_out", "exited", "crashed", "broken"]),
	payload: z.unknown(),
	message: z.string(),
	traceback: z.string().nullable(),
	logs: z.array(z.string()),
	logs_truncated: z.boolean(),
	boot_ms: z.number(),
	heap_bytes: z.number(),
});
export type Answer = z.infer<typeof Answer>;

/** The entrypoint of the dynamic Worker. */
export type Guest = {
	call(call: SandboxCall): Promise<unknown>;
	prepare(preparation: Preparation): Promise<SpareGuest>;
};

/** A spare interpreter in its dynamic Worker. */
export type SpareGuest = Disposable & { call(call: SandboxCall): Promise<unknown> };

/**
 * Runs one call in a fresh dynamic Worker without network and bindings. Whatever goes wrong in there is an answer.
 * @throws SandboxOverloaded when this isolate already keeps `ctx.maxLiveSandboxes` of them.
 */
export async function inSandbox(ctx: Ctx, { wheels, ...call }: SandboxRequest): Promise<Answer> {
	const leave = takePlace(ctx.maxLiveSandboxes);
	try {
		const guest = startGuest(ctx, { wheels, cpuMs: call.timeoutMs });
		return readAnswer(await answerInTime(guest.call(call), call.timeoutMs));
	} catch (error) {
		return platformFailure(error);
	} finally {
		leave();
	}
}

/**
 * Starts a dynamic Worker without network and bindings.
 * @param cpuMs time that its calls may compute, beside starting the interpreter
 */
export function startGuest(ctx: Ctx, { wheels, cpuMs }: { wheels: Wheel[]; cpuMs: number }): Guest {
	const env: SandboxEnv = {
		WHEELS: wheels.map((wheel) => wheel.filename),
		LIMITS: {
			graceMs: GRACE_MS,
			maxLines: PYTHON_LIMITS.logLines,
			maxBytes: PYTHON_LIMITS.logBytes + CUT_SLACK_BYTES,
			maxOutputBytes: PYTHON_LIMITS.outputBytes,
			disk: { maxBytes: 80 * 1024 * 1024, maxFiles: 20_000, maxOpenFiles: 256 },
		},
	};
	const stub = ctx.loader.load({
		compatibilityDate: COMPATIBILITY_DATE,
		compatibilityFlags: ["no_nodejs_compat", "no_nodejs_compat_v2"],
		mainModule: "runner.mjs",
		modules: sandboxModules(wheels.map((wheel) => wheel.bytes)),
		env,
		globalOutbound: null,
		limits: { cpuMs: cpuMs + BOOT_CPU_MS, subRequests: 1 },
	});
	return stub.getEntrypoint() as unknown as Guest;
}

/** Waits for a guest's answer. @throws Error when the platform has lost the guest without a word. */
export async function answerInTime<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
	const answered = new AbortController();
	try {
		return await Promise.race([answer, lateAfter(timeoutMs + LOST_AFTER_MS, answered.signal)]);
	} finally {
		answered.abort();
	}
}

function lateAfter(ms: number, signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		const timer = setTimeout(() => reject(new Error("the sandbox hung")), ms);
		signal.addEventListener("abort", () => clearTimeout(timer));
	});
}

/** The guest ran a stranger's code, so its answer is checked like any stranger's. */
export function readAnswer(text: unknown): Answer {
	if (typeof text !== "string" || text.length > MAX_ANSWER_CHARACTERS) return broken("it gave no answer");
	try {
		return Answer.parse(JSON.parse(text));
	} catch {
		return broken("its answer cannot be read");
	}
}

/** Returns the answer that stands for a failure of the platform. */
export function platformFailure(error: unknown): Answer {
	const message = error instanceof Error ? error.message : String(error);
	if (/cpu time limit|exceeded.*cpu|hung/i.test(message)) return { ...broken(message), outcome: "timed_out" };
	if (/memory limit|exceeded.*memory/i.test(message)) return { ...broken(message), outcome: "crashed" };
	return broken(message);
}

const broken = (message: string): Answer => ({
	outcome: "broken",
	payload: null,
	message,
	traceback: null,
	logs: [],
	logs_truncated: false,
	boot_ms: 0,
	heap_bytes: 0,
});
