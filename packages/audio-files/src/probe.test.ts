import { describe, expect, test } from "vitest";
import { bytesSource } from "./audio-source.ts";
import { findBox } from "./formats/mp4/boxes.ts";
import { probe } from "./probe.ts";
import { fixture, fixtureSource } from "./sounds.fixture.ts";
import { UnsupportedAudio } from "./unsupported-audio.ts";

const probed = (name: string) => probe(fixtureSource(name));

async function refusal(bytes: Uint8Array): Promise<UnsupportedAudio> {
	const error = await probe(bytesSource(bytes)).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(UnsupportedAudio);
	return error as UnsupportedAudio;
}

/** An MP4 file whose index stands last, as QuickTime writes it: with a `hdlr` of type `dhlr` in `minf` too. */
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

describe("files that are audio", () => {
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
		// The container says two channels of whatever MP3 it holds.
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
	])("%s is %s, %s, %s", async (name, container, format, codec, channels, sampleRate) => {
		const info = await probed(name);
		expect(info).toMatchObject({ container, format, codec, channels, sampleRate });
		expect(info.sizeBytes).toBe(fixture(name).length);
		expect(JSON.parse(JSON.stringify(info))).toEqual(info);
	});

	test.each([
		["speech.wav", 12],
		["six-channels.wav", 0.25],
		["streamed.wav", 0.25],
		["rf64.wav", 0.25],
		["speech.flac", 12],
	])("%s lasts exactly %d s by its header", async (name, seconds) => {
		expect(await probed(name)).toMatchObject({ durationSeconds: seconds, exactDuration: true });
	});

	test.each([
		["vbr.mp3", 12.17],
		["cbr.mp3", 12.17],
		["speech.opus", 12],
		["vorbis.ogg", 12],
		["moov-last.m4a", 12.13],
		["speech.webm", 12],
	])("%s lasts about %d s by its header", async (name, seconds) => {
		const info = await probed(name);
		expect(info.durationSeconds).toBeCloseTo(seconds, 1);
		expect(info.exactDuration).toBe(false);
	});

	test("the handler of the data in a QuickTime file is not taken for the track's", async () => {
		const { sizeBytes, ...info } = await probed("moov-last.m4a");
		const bytes = withDataHandler(fixture("moov-last.m4a"));
		expect(await probe(bytesSource(bytes))).toEqual({
			...info,
			sizeBytes: bytes.length,
			layout: { ...info.layout, tables: expect.anything() },
		});
		expect(bytes.length).toBe(sizeBytes + 32);
	});

	test("an index at the end is found without reading the sound", async () => {
		const sound = fixture("moov-last.m4a");
		const size = 600_000_000;
		const mdatAt =
			sound.findIndex((_, at) => String.fromCharCode(...sound.subarray(at, at + 4)) === "mdat") - 4;
		const moovAt =
			sound.findIndex((_, at) => String.fromCharCode(...sound.subarray(at, at + 4)) === "moov") - 4;
		// The same file with half a gigabyte more of sound in its `mdat`.
		const grown = size - sound.length;
		const head = sound.slice(0, moovAt);
		new DataView(head.buffer).setUint32(mdatAt, moovAt - mdatAt + grown);
		let bytesRead = 0;
		const info = await probe({
			size,
			async read(start, end) {
				bytesRead += end - start;
				const bytes = new Uint8Array(end - start);
				for (let at = start; at < end; at++) {
					bytes[at - start] = (
						at < moovAt ? head[at] : at >= moovAt + grown ? sound[at - grown] : 0
					) as number;
				}
				return bytes;
			},
		});
		expect(info).toMatchObject({ format: "m4a", codec: "aac" });
		expect(bytesRead).toBeLessThan(300_000);
	});
});

describe("files that are not", () => {
	const text = (content: string) => new TextEncoder().encode(content);

	test.each<[string, Uint8Array, string, string]>([
		["nothing", new Uint8Array(0), "empty", "empty"],
		["one byte", Uint8Array.of(0), "broken", "too short"],
		["one letter", text("a"), "not_audio", "text"],
		["a ZIP archive", text("PK\x03\x04\x14\0\0\0"), "not_audio", "ZIP"],
		["a PDF", text("%PDF-1.7 …"), "not_audio", "PDF"],
		["HTML", text("\n<!DOCTYPE html><html><body>404</body></html>"), "not_audio", "HTML"],
		["XML", text('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'), "not_audio", "XML"],
		["JSON", text('{"error": "not found"}'), "not_audio", "JSON"],
		["a subtitle file", text("1\n00:00:00,000 --> 00:00:01,000\nGrüße\n"), "not_audio", "text"],
		["a PNG", text("\x89PNG").with(0, 0x89), "not_audio", "text"],
		[
			"noise",
			Uint8Array.from({ length: 5000 }, (_, at) => (at * at * 31) % 251),
			"not_audio",
			"any known kind",
		],
		["an executable", text("MZ\x90\0\x03\0\0\0"), "not_audio", "program"],
		["MIDI", text("MThd\0\0\0\x06\0\x01"), "not_audio", "MIDI"],
		["WebP", text("RIFF\x10\0\0\0WEBPVP8 "), "not_audio", "WebP"],
		["AVI", text("RIFF\x10\0\0\0AVI LIST"), "unsupported_container", "AVI"],
	])("%s", async (_, bytes, code, word) => {
		const png = bytes.length > 4 && bytes[0] === 0x89 ? Uint8Array.from([0x89, 0x50, 0x4e, 0x47]) : bytes;
		const error = await refusal(png);
		expect(error.code).toBe(code);
		if (png === bytes) expect(error.message).toContain(word);
	});

	test.each([
		["speech.aiff", "unsupported_container", "AIFF"],
		["speech.wma", "unsupported_container", "Windows Media"],
		["adpcm.wav", "unsupported_codec", "ADPCM"],
		["flac-in-ogg.ogg", "unsupported_codec", "FLAC in Ogg"],
		["pcm.mkv", "unsupported_codec", "PCM"],
		["silent-video.mp4", "no_audio_track", "no sound track"],
		["silent.mpg", "no_audio_track", "no sound track"],
		["no-samples.wav", "empty", "no sound"],
	])("%s is refused as %s", async (name, code, word) => {
		const error = await refusal(fixture(name));
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
	])("%s cut off after %d bytes is broken", async (name, length) => {
		expect((await refusal(fixture(name).slice(0, length))).code).toBe("broken");
	});

	test("a tag without anything behind it is broken", async () => {
		const tag = new Uint8Array(10);
		tag.set([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 8, 0]);
		expect((await refusal(tag)).code).toBe("broken");
	});

	test("a file that sends the parser around in circles ends at the budget", async () => {
		const endless = { size: 2 ** 40, read: async (start: number, end: number) => boxes(start, end) };
		// Every 16 bytes an empty box of another type: never an index.
		const boxes = (start: number, end: number) => {
			const bytes = new Uint8Array(end - start);
			for (let at = 0; at < bytes.length; at++) {
				const place = (start + at) % 16;
				bytes[at] = place === 3 ? 16 : place >= 4 && place < 8 ? "free".charCodeAt(place - 4) : 0;
			}
			return bytes;
		};
		const error = await probe(endless, { maxBytes: 1_000_000, deadlineMs: 60_000 }).catch((thrown) => thrown);
		expect(error).toMatchObject({ name: "UnsupportedAudio", code: "broken" });
	});

	test("an error of the storage is not the file's fault", async () => {
		const fault = new Error("the bucket does not answer");
		const source = { size: 1000, read: () => Promise.reject(fault) };
		await expect(probe(source)).rejects.toBe(fault);
	});

	test("no prefix of any kind of file brings the parsers down", async () => {
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
