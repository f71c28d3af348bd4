// Long recordings of real (synthesised) speech, made here so that none has to be stored: the fixtures' sentences, one after
// another with pauses between, in the formats that are sent to a batch API.
import { registerAacEncoder } from "@mediabunny/aac-encoder";
import { registerFlacEncoder } from "@mediabunny/flac-encoder";
import { registerMp3Encoder } from "@mediabunny/mp3-encoder";
import {
	AdtsOutputFormat,
	AudioSample,
	AudioSampleSource,
	BufferTarget,
	EncodedAudioPacketSource,
	EncodedPacket,
	FlacOutputFormat,
	Mp3OutputFormat,
	Mp4OutputFormat,
	MpegTsOutputFormat,
	OggOutputFormat,
	Output,
	type OutputFormat,
	WavOutputFormat,
	WebMOutputFormat,
} from "mediabunny";
import OpusScript from "opusscript";

registerAacEncoder();
registerFlacEncoder();
registerMp3Encoder();

export const SAMPLE_RATE = 16_000;

/** Each by what its file is; `mp4` is fragmented, `m4a` has its index at the end, `mpeg` is a transport stream. */
export const RECORDING_FORMATS = ["wav", "mp3", "flac", "aac", "m4a", "mp4", "ogg", "webm", "mpeg"] as const;
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

/**
 * Speech of about that length: the utterances in turn, with pauses of 0.3 to 1.2 s that are the same each time.
 * @param utterances mono, 16 bit, 16 kHz.
 */
export function longSpeech(utterances: readonly Int16Array[], seconds: number): Int16Array {
	const speech = new Int16Array(Math.round(seconds * SAMPLE_RATE));
	let at = 0;
	for (let turn = 0; ; turn++) {
		const utterance = utterances[turn % utterances.length];
		if (!utterance || at + utterance.length > speech.length) return speech.subarray(0, at);
		speech.set(utterance, at);
		at += utterance.length + Math.round((0.3 + ((turn * 37) % 10) / 10) * SAMPLE_RATE);
		at = Math.min(at, speech.length);
	}
}

/** The samples as a file of the format, in memory. */
export async function encodeRecording(format: RecordingFormat, samples: Int16Array): Promise<Uint8Array> {
	const target = new BufferTarget();
	const output = new Output({ format: containerOf(format), target });
	if (format === "ogg" || format === "webm") await writeOpus(output, samples);
	else await writeSamples(output, format, samples);
	if (!target.buffer) throw new Error(`The ${format} file was not written`);
	return new Uint8Array(target.buffer);
}

function containerOf(format: RecordingFormat): OutputFormat {
	switch (format) {
		case "wav":
			return new WavOutputFormat();
		case "mp3":
			return new Mp3OutputFormat();
		case "flac":
			return new FlacOutputFormat();
		case "aac":
			return new AdtsOutputFormat();
		case "m4a":
			return new Mp4OutputFormat({ fastStart: false });
		case "mp4":
			return new Mp4OutputFormat({ fastStart: "fragmented" });
		case "ogg":
			return new OggOutputFormat();
		case "webm":
			return new WebMOutputFormat();
		case "mpeg":
			return new MpegTsOutputFormat();
	}
}

const CODECS = {
	wav: "pcm-s16",
	mp3: "mp3",
	flac: "flac",
	aac: "aac",
	m4a: "aac",
	mp4: "aac",
	mpeg: "aac",
} as const;

async function writeSamples(output: Output, format: keyof typeof CODECS, samples: Int16Array): Promise<void> {
	const codec = CODECS[format];
	const source = new AudioSampleSource(codec === "pcm-s16" ? { codec } : { codec, bitrate: 64_000 });
	output.addAudioTrack(source);
	await output.start();
	for (let at = 0; at < samples.length; at += SAMPLE_RATE) {
		const sample = new AudioSample({
			data: samples.slice(at, at + SAMPLE_RATE),
			format: "s16",
			numberOfChannels: 1,
			sampleRate: SAMPLE_RATE,
			timestamp: at / SAMPLE_RATE,
		});
		await source.add(sample);
		sample.close();
	}
	await output.finalize();
}

const OPUS_FRAME_SECONDS = 0.02;
/** Mono, no samples to skip, as RFC 7845 section 5.1 lays it out. */
const OPUS_HEAD = Uint8Array.from([...Buffer.from("OpusHead"), 1, 1, 0, 0, 0x80, 0x3e, 0, 0, 0, 0, 0]);

async function writeOpus(output: Output, samples: Int16Array): Promise<void> {
	const source = new EncodedAudioPacketSource("opus");
	output.addAudioTrack(source);
	await output.start();
	const encoder = new OpusScript(SAMPLE_RATE, 1, OpusScript.Application.VOIP);
	encoder.setBitrate(32_000);
	const frame = SAMPLE_RATE * OPUS_FRAME_SECONDS;
	const config = { codec: "opus", numberOfChannels: 1, sampleRate: 48_000, description: OPUS_HEAD };
	for (let at = 0; at + frame <= samples.length; at += frame) {
		const pcm = Buffer.from(samples.slice(at, at + frame).buffer);
		const data = Uint8Array.from(encoder.encode(pcm, frame));
		const packet = new EncodedPacket(data, "key", at / SAMPLE_RATE, OPUS_FRAME_SECONDS);
		await source.add(packet, { decoderConfig: config });
	}
	encoder.delete();
	await output.finalize();
}
