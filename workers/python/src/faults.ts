import { z } from "zod";
import type { Answer } from "./sandbox.ts";

const HARNESS_CODES = [
	"EXCEPTION",
	"EXITED",
	"MEMORY_EXCEEDED",
	"SYNTAX_ERROR",
	"ENTRY_NOT_FOUND",
	"ENTRY_AMBIGUOUS",
	"UNSUPPORTED_ANNOTATION",
	"UNSUPPORTED_PARAMETER",
	"INVALID_ARGUMENTS",
	"OUTPUT_NOT_JSON",
	"OUTPUT_TOO_LARGE",
	"WHEEL_UNUSABLE",
	"SECRET_UNUSABLE",
] as const;

const Failed = z.object({
	ok: z.literal(false),
	error: z.object({
		code: z.enum(HARNESS_CODES),
		message: z.string().max(40_000),
		traceback: z.string().max(60_000).nullable(),
		fields: z
			.array(z.object({ path: z.string().max(1_000), message: z.string().max(2_000) }))
			.max(50)
			.optional(),
	}),
});

export type Fault = {
	code: (typeof HARNESS_CODES)[number] | "INTERPRETER_CRASHED" | "TIMED_OUT" | "SANDBOX_ERROR";
	message: string;
	traceback: string | null;
	fields?: { path: string; message: string }[];
};

/**
 * Why a call in the sandbox gave nothing; null when the harness reports success. A tool can make the harness lie, so a
 * report that makes no sense is a fault of the sandbox.
 */
export function faultOf(answer: Answer, timeoutMs: number): Fault | null {
	const { outcome, payload, message, traceback } = answer;
	const reported = Failed.safeParse(payload).data?.error;
	switch (outcome) {
		case "timed_out":
			return {
				code: "TIMED_OUT",
				message: `the tool was stopped after ${timeoutMs} ms`,
				traceback: reported?.traceback ?? traceback,
			};
		case "exited":
			return { code: "EXITED", message: "the tool ended the interpreter", traceback };
		case "crashed":
			return {
				code: "INTERPRETER_CRASHED",
				message: `the interpreter crashed, out of memory or stack or by a native fault: ${message}`,
				traceback,
			};
		case "broken":
			return { code: "SANDBOX_ERROR", message: `the sandbox failed: ${message}`, traceback };
		case "answered":
			if (reported) return reported;
			if (typeof payload === "object" && payload !== null && "ok" in payload && payload.ok === true)
				return null;
			return { code: "SANDBOX_ERROR", message: "the sandbox failed: its report cannot be read", traceback };
	}
}
