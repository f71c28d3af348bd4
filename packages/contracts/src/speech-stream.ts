import { z } from "zod";
import { SpeechHints, SpeechWord } from "./speech.ts";

/** What a stream carries: 16-bit little-endian samples of one channel. */
export const STREAM_SAMPLE_RATE = 16_000;

export const SpeechStreamQuery = z.strictObject({
	language: SpeechHints.shape.language,
	partials: z
		.enum(["true", "false"])
		.default("true")
		.meta({ description: "Whether what is not final yet is told too" }),
});
export type SpeechStreamQuery = z.infer<typeof SpeechStreamQuery>;

const Seconds = z.number().min(0);

/** What the service says on a stream; times are seconds from its beginning. */
export const SpeechStreamEvent = z
	.discriminatedUnion("type", [
		z.object({ type: z.literal("ready"), model: z.string(), sample_rate: z.int() }),
		z.object({ type: z.literal("partial"), text: z.string(), start: Seconds, end: Seconds }),
		z.object({
			type: z.literal("final"),
			text: z.string(),
			start: Seconds,
			end: Seconds,
			words: z.array(SpeechWord),
		}),
		z.object({
			type: z.literal("error"),
			code: z.string(),
			message: z.string(),
			start: Seconds.optional(),
			end: Seconds.optional(),
		}),
		z.object({ type: z.literal("done"), duration: Seconds }),
	])
	.meta({ id: "SpeechStreamEvent" });
export type SpeechStreamEvent = z.infer<typeof SpeechStreamEvent>;

/** What the caller may say as text: that no more audio will come. */
export const SpeechStreamCommand = z.strictObject({ type: z.literal("finish") });
