import { describe, expect, test } from "vitest";
import { bytesSource } from "./audio-source.ts";
import { findBox } from "./formats/mp4/boxes.ts";
import { probe } from "./probe.ts";
import { fixture, fixtureSource } from "./recordings.fixture.ts";
import { UnsupportedAudio } from "./unsupported-audio.ts";

const probed = (name: string) => probe(fixtureSource(name));

/** Probes bytes and returns the error with which they are rejected. */
async function rejectionOf(bytes: Uint8Array): Promise<UnsupportedAudio> {
	const error = await probe(bytesSource(bytes)).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(UnsupportedAudio);
	return error as UnsupportedAudio;
}

/** Adds a `hdlr` of type `dhlr` to `minf` of an MP4 file whose index is at the end, as QuickTime does. */
function withDataHandler(file: Uint8Array): Uint8Array {
	const handler = new Uint8Array(32);
	new DataView(handler.buffer).setUint32(0, handler.length);
	new TextEncoder().encodeInto("hdlr", handler.subarray(4));
	new TextEncoder().encodeInto("dhlrurl ", handler.subarray(12));
	const parents = ["moov", "moov/trak", "moov/trak/mdia", "moov/trak/mdia/minf"].map((path) => {
		const box = findBox(file, 0, file.length, path);
		if (!box) throw new Error(`The file has no ${path}`);
		return box;
	});
	const at = parents.at(-1)?.end ?? 0;
	const bytes = Uint8Array.from([...file.subarray(0, at), ...handler, ...file.subarray(at)]);
	const view = new DataView(bytes.buffer);
	for (const { start } of parents) view.setUint32(start, view.getUint32(start) + handler.length);
	return bytes;
}

describe("probe of an audio file", () => {
	test.each([
		["speech.wav", "riff", "wav", "pcm", 1, 8000],
		["u8.wav", "riff", "wav", "pcm", 1, 8000],
		["s24.wav", "riff", "wav", "pcm", 1, 8000],
		["s32.wav", "riff", "wav", "pcm", 1, 8000],
		["f32.wav", "riff", "wav", "pcm", 1, 8000],
		["f64.wav", "riff", "wav", "pcm", 1, 8000],
		["alaw.wav", "riff", "wav", "alaw", 1, 8000],
		["ulaw.wav", "riff", "wav", "ulaw", 1, 8000],
		["six-channels.wav", "riff", "wav", "pcm", 6, 8000],
		["streamed.wav", "riff", "wav", "pcm", 1, 8000],
		["rf64.wav", "riff", "wav", "pcm", 1, 8000],
		["cbr.mp3", "mpeg-audio", "mp3", "mp3", 1, 8000],
		["vbr.mp3", "mpeg-audio", "mp3", "mp3", 1, 8000],
		["vbr-no-header.mp3", "mpeg-audio", "mp3", "mp3", 1, 8000],
		["picture.mp3", "mpeg-audio", "mp3", "mp3", 1, 8000],
		["layer2.mp2", "mpeg-audio", "mpeg", "mp2", 1, 16000],
		["speech.aac", "adts", "aac", "aac", 1, 8000],
		["moov-first.m4a", "mp4", "m4a", "aac", 1, 8000],
		["moov-last.m4a", "mp4", "m4a", "aac", 1, 8000],
		["fragmented.m4a", "mp4", "m4a", "aac", 1, 8000],
		["video.mp4", "mp4", "mp4", "aac", 1, 8000],
		["alac.m4a", "mp4", "m4a", "alac", 1, 8000],
		["opus.mp4", "mp4", "mp4", "opus", 1, 48000],
		// The container declares two channels for every MP3.
		["mp3.mp4", "mp4", "mp4", "mp3", 2, 8000],
		["amr.3gp", "mp4", "mp4", "amr_nb", 1, 8000],
		["speech.flac", "flac", "flac", "flac", 1, 8000],
		["speech.opus", "ogg", "ogg", "opus", 1, 48000],
		["vorbis.ogg", "ogg", "ogg", "vorbis", 1, 8000],
		["chained.opus", "ogg", "ogg", "opus", 1, 48000],
		["speech.webm", "matroska", "webm", "opus", 1, 48000],
		["live.webm", "matroska", "webm", "opus", 1, 48000],
		["vorbis.mkv", "matroska", "webm", "vorbis", 1, 8000],
		["aac.mkv", "matroska", "webm", "aac", 1, 8000],
		["mp3.mkv", "matroska", "webm", "mp3", 1, 8000],
		["flac.mkv", "matroska", "webm", "flac", 1, 8000],
		["speech.amr", "amr", "amr", "amr_nb", 1, 8000],
		["speech.ts", "mpeg-ts", "mpeg", "aac", 1, 8000],
		["mp2.ts", "mpeg-ts", "mpeg", "mp2", 1, 16000],
		["program.mpg", "mpeg-ps", "mpeg", "mp2", 1, 16000],
		["mpeg1.mpg", "mpeg-ps", "mpeg", "mp2", 1, 32000],
	])(
		"%s has container %s, format %s and codec %s",
		async (name, container, format, codec, channels, sampleRate) => {
			const info = await probed(name);
			expect(info).toMatchObject({ container, format, codec, channels, sampleRate });
			expect(info.sizeBytes).toBe(fixture(name).length);
			expect(JSON.parse(JSON.stringify(info))).toEqual(info);
		},
	);

	test.each([
		["speech.wav", 12],
		["six-channels.wav", 0.25],
		["streamed.wav", 0.25],
		["rf64.wav", 0.25],
		["speech.flac", 12],
	])("the header of %s states the exact duration of %d s", async (name, seconds) => {
		expect(await probed(name)).toMatchObject({ durationSeconds: seconds, exactDuration: true });
	});

	test.each([
		["vbr.mp3", 12.17],
		["cbr.mp3", 12.17],
		["speech.opus", 12],
		["vorbis.ogg", 12],
		["moov-last.m4a", 12.13],
		["speech.webm", 12],
	])("the header of %s states a duration of about %d s", async (name, seconds) => {
		const info = await probed(name);
		expect(info.durationSeconds).toBeCloseTo(seconds, 1);
		expect(info.exactDuration).toBe(false);
	});

	test("the data handler of a QuickTime file does not count as the track handler", async () => {
		const { sizeBytes, ...info } = await probed("moov-last.m4a");
		const bytes = withDataHandler(fixture("moov-last.m4a"));
		expect(await probe(bytesSource(bytes))).toEqual({
			...info,
			sizeBytes: bytes.length,
			layout: { ...info.layout, tables: expect.anything() },
		});
		expect(bytes.length).toBe(sizeBytes + 32);
	});

	test("an index at the end is found without reading the audio data", async () => {
		const file = fixture("moov-last.m4a");
		const size = 600_000_000;
		const mdatAt =
			file.findIndex((_, at) => String.fromCharCode(...file.subarray(at, at + 4)) === "mdat") - 4;
		const moovAt =
			file.findIndex((_, at) => String.fromCharCode(...file.subarray(at, at + 4)) === "moov") - 4;
		// The same file with half a gigabyte more data in its `mdat`.
		const grown = size - file.length;
		const head = file.slice(0, moovAt);
		new DataView(head.buffer).setUint32(mdatAt, moovAt - mdatAt + grown);
		let bytesRead = 0;
		const info = await probe({
			size,
			async read(start, end) {
				bytesRead += end - start;
				const bytes = new Uint8Array(end - start);
				for (let at = start; at < end; at++) {
					bytes[at - start] = (
						at < moovAt ? head[at] : at >= moovAt + grown ? file[at - grown] : 0
					) as number;
				}
				return bytes;
			},
		});
		expect(info).toMatchObject({ format: "m4a", codec: "aac" });
		expect(bytesRead).toBeLessThan(300_000);
	});
});

describe("probe of another file", () => {
	const text = (content: string) => new TextEncoder().encode(content);

	test.each<[string, Uint8Array, string, string]>([
		["an empty file", new Uint8Array(0), "empty", "empty"],
		["a file of one byte", Uint8Array.of(0), "broken", "too short"],
		["a file of one letter", text("a"), "not_audio", "text"],
		["a ZIP archive", text("PK\x03\x04\x14\0\0\0"), "not_audio", "ZIP"],
		["a PDF", text("%PDF-1.7 …"), "not_audio", "PDF"],
		["an HTML page", text("\n<!DOCTYPE html><html><body>404</body></html>"), "not_audio", "HTML"],
		[
			"an XML document",
			text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
			"not_audio",
			"XML",
		],
		["a JSON document", text('{"error": "not found"}'), "not_audio", "JSON"],
		["a subtitle file", text("1\n00:00:00,000 --> 00:00:01,000\nGrüße\n"), "not_audio", "text"],
		["a PNG", text("\x89PNG").with(0, 0x89), "not_audio", "text"],
		[
			"a file of noise",
			Uint8Array.from({ length: 5000 }, (_, at) => (at * at * 31) % 251),
			"not_audio",
			"audio of a known format",
		],
		["an executable", text("MZ\x90\0\x03\0\0\0"), "not_audio", "program"],
		["a MIDI file", text("MThd\0\0\0\x06\0\x01"), "not_audio", "MIDI"],
		["a WebP image", text("RIFF\x10\0\0\0WEBPVP8 "), "not_audio", "WebP"],
		["an AVI video", text("RIFF\x10\0\0\0AVI LIST"), "unsupported_container", "AVI"],
	])("%s is rejected", async (_, bytes, code, word) => {
		const png = bytes.length > 4 && bytes[0] === 0x89 ? Uint8Array.from([0x89, 0x50, 0x4e, 0x47]) : bytes;
		const error = await rejectionOf(png);
		expect(error.code).toBe(code);
		if (png === bytes) expect(error.message).toContain(word);
	});

	test.each([
		["speech.aiff", "unsupported_container", "AIFF"],
		["speech.wma", "unsupported_container", "Windows Media"],
		["adpcm.wav", "unsupported_codec", "ADPCM"],
		["flac-in-ogg.ogg", "unsupported_codec", "FLAC in Ogg"],
		["pcm.mkv", "unsupported_codec", "PCM"],
		["silent-video.mp4", "no_audio_track", "no audio track"],
		["silent.mpg", "no_audio_track", "no audio track"],
		["no-samples.wav", "empty", "contains no audio"],
	])("%s is rejected as %s", async (name, code, word) => {
		const error = await rejectionOf(fixture(name));
		expect(error.code).toBe(code);
		expect(error.message).toContain(word);
	});

	test.each([
		["speech.wav", 30],
		["speech.flac", 30],
		["vorbis.ogg", 900],
		["moov-last.m4a", 20_000],
		["moov-first.m4a", 300],
		["speech.webm", 60],
		["speech.ts", 188 * 3],
	])("%s cut off after %d bytes is rejected as broken", async (name, length) => {
		expect((await rejectionOf(fixture(name).slice(0, length))).code).toBe("broken");
	});

	test("a tag without audio behind it is rejected as broken", async () => {
		const tag = new Uint8Array(10);
		tag.set([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 8, 0]);
		expect((await rejectionOf(tag)).code).toBe("broken");
	});

	test("a file without end exhausts the budget and is rejected", async () => {
		const endless = { size: 2 ** 40, read: async (start: number, end: number) => boxes(start, end) };
		// An empty box every 16 bytes, and never an index.
		const boxes = (start: number, end: number) => {
			const bytes = new Uint8Array(end - start);
			for (let at = 0; at < bytes.length; at++) {
				const offset = (start + at) % 16;
				bytes[at] = offset === 3 ? 16 : offset >= 4 && offset < 8 ? "free".charCodeAt(offset - 4) : 0;
			}
			return bytes;
		};
		const error = await probe(endless, { maxBytes: 1_000_000, deadlineMs: 60_000 }).catch((thrown) => thrown);
		expect(error).toMatchObject({ name: "UnsupportedAudio", code: "broken" });
	});

	test("an error of the storage passes through unchanged", async () => {
		const fault = new Error("the bucket does not answer");
		const source = { size: 1000, read: () => Promise.reject(fault) };
		await expect(probe(source)).rejects.toBe(fault);
	});

	test("a prefix of any file is probed or rejected, and never causes another error", async () => {
		for (const name of [
			"speech.webm",
			"moov-first.m4a",
			"fragmented.m4a",
			"vorbis.ogg",
			"cbr.mp3",
			"speech.ts",
		]) {
			const bytes = fixture(name);
			for (let length = 1; length < Math.min(bytes.length, 2500); length += 37) {
				const result = await probe(bytesSource(bytes.slice(0, length))).catch((thrown: unknown) => thrown);
				if (result instanceof Error) expect(result).toBeInstanceOf(UnsupportedAudio);
			}
		}
	});
});
