import { z } from "zod";
import { SpeechHints, SpeechWord } from "./speech.ts";

/** Samples per second of a stream: 16-bit little-endian samples of one channel. */
export const STREAM_SAMPLE_RATE = 16_000;

export const SpeechStreamQuery = z.strictObject({
	language: SpeechHints.shape.language,
	partials: z
		.enum(["true", "false"])
		.default("true")
		.describe("Whether to send texts that are not final yet. Default: `true`."),
});
export type SpeechStreamQuery = z.infer<typeof SpeechStreamQuery>;

const Seconds = z.number().min(0);
const Start = Seconds.describe("Start in seconds from the beginning of the stream");
const End = Seconds.describe("End in seconds from the beginning of the stream");
const Text = z.string().describe("Recognised text");
const type = <const T extends string>(value: T) => z.literal(value).describe("Kind of the event");

/** Event that the service sends on a stream. */
export const SpeechStreamEvent = z
	.discriminatedUnion("type", [
		z.object({
			type: type("ready"),
			model: z.string().describe("Code of the model that transcribes"),
			sample_rate: z.int().describe("Samples per second that the stream must have"),
		}),
		z.object({ type: type("partial"), text: Text, start: Start, end: End }),
		z.object({
			type: type("final"),
			text: Text,
			start: Start,
			end: End,
			words: z.array(SpeechWord).describe("Words in order of time"),
		}),
		z.object({
			type: type("error"),
			code: z.string().describe("Code of the platform's closed list, or `IDLE_TIMEOUT`"),
			message: z.string().describe("What is wrong and what to do"),
			start: Start.optional(),
			end: End.optional(),
		}),
		z.object({ type: type("done"), duration: Seconds.describe("Length of the stream in seconds") }),
	])
	.meta({ id: "SpeechStreamEvent" });
export type SpeechStreamEvent = z.infer<typeof SpeechStreamEvent>;

/** Command that the caller may send as text: no more audio follows. */
export const SpeechStreamCommand = z.strictObject({ type: z.literal("finish") });
