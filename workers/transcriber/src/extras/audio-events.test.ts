import { env } from "cloudflare:test";
import { fixture } from "@parley/audio-files/recordings.fixture";
import { outputKey } from "@parley/batch/object-keys";
import type { JobConfig, TranscriptionConfig } from "@parley/contracts/batch/job-configs";
import { Transcript } from "@parley/contracts/batch/transcript";
import type { DecodeAudio, DecoderRpc } from "@parley/contracts/internal/decoder-rpc";
import type { JobRow } from "@parley/db/batch/jobs";
import { babble, inTurn, type Signal, sampled, tune } from "@parley/engines/audio-events/tunes.fixture";
import { wave } from "@parley/testing/wave";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, keysOf, read, startMessage } from "../../test/pipeline.ts";

const RATE = 16_000;

/** A PCM file of 16 bits with a channel for each sound. */
function recording(seconds: number, sounds: readonly Signal[], rate = RATE): Uint8Array<ArrayBuffer> {
	const channels = sounds.map((sound) => sampled(sound, seconds, rate));
	return wave(
		{ seconds, rate, channels: channels.length },
		(time, channel) => (channels[channel]?.[Math.round(time * rate)] ?? 0) / 32_767,
	);
}

const interlude = inTurn([
	[babble, 10],
	[tune, 15],
	[babble, 10],
]);

const insert = (
	audio: Uint8Array,
	changes: Partial<TranscriptionConfig> = {},
	asked: Partial<JobConfig> = { audio_events_config: { types: ["music"] } },
) =>
	insertJob({
		audio,
		jobConfig: {
			transcription_config: {
				language: "en",
				operating_point: "enhanced",
				diarization: "none",
				enable_entities: false,
				...changes,
			},
			...asked,
		},
	});

/** The real decoder, which writes down what it is asked; `fail` makes it break down so often. */
function decoder(fail = 0) {
	const asked: DecodeAudio[] = [];
	const real = env.DECODER as unknown as DecoderRpc;
	const decode: DecoderRpc["decode"] = async (request) => {
		asked.push(request);
		if (asked.length <= fail) throw new Error("The worker exceeded its CPU time limit");
		return real.decode(request);
	};
	return { asked, DECODER: { decode } as never };
}

async function transcribe(row: JobRow, vars: Partial<Env> = {}, world = outside()): Promise<Transcript> {
	const pipeline = createPipeline({ fetch: world.fetch }, vars);
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	expect(await read(row)).toMatchObject({ status: "DONE", error: null });
	expect(await keysOf(row, "work")).toEqual([]);
	return Transcript.parse(await (await env.MEDIA.get(outputKey(row, "json")))?.json());
}

const spansOf = ({ audio_events }: Transcript) =>
	audio_events?.map(({ type, start_time, end_time }) => [type, start_time, end_time]);

const about = (seconds: number) => expect.closeTo(seconds, -0.7);

test("music between words is told with its times, and by what", async () => {
	const { asked, DECODER } = decoder();
	const transcript = await transcribe(await insert(recording(35, [interlude])), { DECODER });
	expect(transcript.audio_events).toEqual([
		{ type: "music", start_time: about(10), end_time: about(25), confidence: expect.any(Number) },
	]);
	expect(transcript.metadata.language_engines).toEqual({
		audio_events: "parley/classical/continuous-frequency-activation",
	});
	expect(transcript.results.length).toBeGreaterThan(0);
	expect(asked).toEqual([]);
});

test("types left out are those that there are, in any language, and without any word", async () => {
	const world = outside({}, () =>
		Response.json({ language: "german", duration: 35, text: "", segments: [], words: [] }),
	);
	const row = await insert(recording(35, [interlude]), { language: "de" }, { audio_events_config: {} });
	expect(spansOf(await transcribe(row, {}, world))).toEqual([["music", about(10), about(25)]]);
});

test("sound of another kind is decoded for it", async () => {
	const { asked, DECODER } = decoder();
	const row = await insert(recording(35, [interlude, interlude], 44_100));
	expect(spansOf(await transcribe(row, { DECODER }))).toEqual([["music", about(10), about(25)]]);
	expect(asked).toHaveLength(1);
});

test("channels that are recognised separately have their own events", async () => {
	const row = await insert(recording(30, [babble, tune]), {
		diarization: "channel",
		channel_diarization_labels: ["agent", "caller"],
	});
	const { audio_events } = await transcribe(row);
	expect(audio_events).toMatchObject([{ type: "music", channel: "caller" }]);
});

test("music over a border between chunks is one event", async () => {
	const row = await insert(
		recording(200, [
			inTurn([
				[babble, 90],
				[tune, 25],
				[babble, 85],
			]),
		]),
	);
	const transcript = await transcribe(row);
	expect((await read(row)).chunkCount).toBeGreaterThan(1);
	expect(spansOf(transcript)).toEqual([["music", about(90), about(115)]]);
});

test("speech and silence have none", async () => {
	expect((await transcribe(await insert(fixture("speech.opus")))).audio_events).toEqual([]);
	expect((await transcribe(await insert(recording(10, [() => 0])))).audio_events).toEqual([]);
});

test("a decoder that breaks down once is asked again", async () => {
	const { asked, DECODER } = decoder(1);
	const row = await insert(recording(35, [interlude], 44_100));
	expect(spansOf(await transcribe(row, { DECODER }))).toHaveLength(1);
	expect(asked).toHaveLength(2);
});

test("a decoder that breaks down for good costs the events, not the words", async () => {
	const { DECODER } = decoder(Number.POSITIVE_INFINITY);
	const row = await insert(recording(35, [interlude], 44_100));
	const transcript = await transcribe(row, { DECODER });
	const message = "The audio (wav, pcm) broke the decoder.";
	expect(transcript.metadata).toMatchObject({
		audio_events_errors: [{ type: "decoder_failed", message }],
		warnings: expect.arrayContaining([`audio_events: ${message}`]),
	});
	expect(transcript).not.toHaveProperty("audio_events");
	expect(transcript.results.length).toBeGreaterThan(0);
});

test("an engine that is not configured any more costs the events, not the words", async () => {
	const row = await insert(recording(10, [babble]));
	const transcript = await transcribe(row, { LANGUAGE_ENGINES: "[]" as never });
	expect(transcript.metadata.audio_events_errors).toMatchObject([{ type: "not_offered" }]);
});

test("a type that no engine detects is reported, and the others are found", async () => {
	const asked = { audio_events_config: { types: ["laughter", "music"] as ("laughter" | "music")[] } };
	const transcript = await transcribe(await insert(recording(35, [interlude]), {}, asked));
	expect(spansOf(transcript)).toEqual([["music", about(10), about(25)]]);
	const message = "No engine of this deployment detects laughter. Available: music.";
	expect(transcript.metadata.audio_events_errors).toEqual([{ type: "not_offered", message }]);
	expect(transcript.metadata.warnings).toContain(`audio_events: ${message}`);
});

test("who asks for no events has nothing decoded for them", async () => {
	const { asked, DECODER } = decoder();
	const row = await insert(recording(5, [babble], 44_100), {}, {});
	expect(await transcribe(row, { DECODER })).not.toHaveProperty("audio_events");
	expect(asked).toEqual([]);
});
