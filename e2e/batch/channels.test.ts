import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decode, type Recording, recordings, waveFile } from "@parley/decoder/recordings.fixture";
import { root } from "@parley/dev-stack/settings/configs";
import { wordErrorRate } from "@parley/testing/wer";
import { expect, test } from "vitest";
import { call, finished } from "./batch-client.ts";

type Result = { type: string; start_time: number; channel?: string; alternatives: { content: string }[] };
type Transcript = { results: Result[]; metadata: { warnings: string[] } };

const decoder = await WebAssembly.compile(readFileSync(join(root, "packages/decoder/assets/decoder.wasm")));
const RATE = 16_000;

/** A recording of two channels, one sentence on each. */
async function stereo(left: Recording, right: Recording): Promise<Buffer> {
	const channels = await Promise.all([left, right].map(({ bytes }) => decode(decoder, bytes)));
	const frames = Math.max(...channels.map(({ length }) => length));
	const shape = { tag: 1, bits: 16, rate: RATE, channels: 2 };
	const file = waveFile(shape, frames, (view, at, frame, channel) =>
		view.setInt16(at, channels[channel]?.[frame] ?? 0, true),
	);
	return Buffer.from(file);
}

async function transcribe(filename: string, audio: Buffer, config: object = {}): Promise<Transcript> {
	const submitted = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
		input_base64: audio.toString("base64"),
		input_filename: filename,
		transcription_config: config,
	});
	expect(submitted.status, JSON.stringify(submitted.body)).toBe(202);
	const job = await finished(submitted.body.job_id);
	expect(job.status, JSON.stringify(job.error)).toBe("DONE");
	const path = `/v1/batch/jobs/${submitted.body.job_id}/transcript?format=json`;
	return (await call<Transcript>("GET", path)).body;
}

const text = (results: Result[]) => results.map(({ alternatives }) => alternatives[0]?.content).join(" ");

test("two people on two channels are each heard for themselves", async () => {
	const sentences = recordings("sentences");
	const [agent, caller] = ["rms", "slt"].map((name) => sentences.find(({ voice }) => voice === name));
	if (!agent || !caller) throw new Error("There are no sentences of two voices");
	const { results, metadata } = await transcribe("call.wav", await stereo(agent, caller), {
		diarization: "channel",
		channel_diarization_labels: ["agent", "caller"],
	});
	const on = (label: string) => text(results.filter(({ channel }) => channel === label));
	expect(wordErrorRate(agent.text, on("agent"))).toBeLessThan(0.35);
	expect(wordErrorRate(caller.text, on("caller"))).toBeLessThan(0.35);
	expect(results.every(({ channel }) => channel === "agent" || channel === "caller")).toBe(true);
	const starts = results.map(({ start_time }) => start_time);
	expect(starts).toEqual(starts.toSorted((a, b) => a - b));
	expect(metadata.warnings).toEqual([]);
});

/** Twelve seconds, of which the last sentence is cut off. */
const SPOKEN =
	"please deploy the new version of the service before noon the invoice number is seven three nine two one " +
	"could you repeat the last part of the question thank you for calling";

test.each(["speech.amr", "amr.3gp"])("a telephone's %s is heard at the right times", async (name) => {
	const audio = readFileSync(join(root, "packages/audio-files/fixtures", name));
	const { results } = await transcribe(name, audio);
	expect(wordErrorRate(SPOKEN, text(results))).toBeLessThan(0.5);
	expect(results.at(-1)?.start_time).toBeGreaterThan(10);
});
