import { ascii, u8, u32 } from "./bytes.ts";
import { UnsupportedAudio, type UnsupportedAudioCode } from "./unsupported-audio.ts";

export type Container =
	| "riff"
	| "flac"
	| "ogg"
	| "mp4"
	| "matroska"
	| "amr"
	| "mpeg-ts"
	| "mpeg-ps"
	/** No signature. The file may hold frames of MPEG audio or ADTS. */
	| "frames";

/** Bytes that `sniff` needs, from the start of the file or from the end of its ID3 tags. */
export const SNIFF_BYTES = 4096;

const AUDIO: [string, number, Container][] = [
	["RIFF", 0, "riff"],
	["RF64", 0, "riff"],
	["BW64", 0, "riff"],
	["fLaC", 0, "flac"],
	["OggS", 0, "ogg"],
	["ftyp", 4, "mp4"],
	["moov", 4, "mp4"],
	["moof", 4, "mp4"],
	["styp", 4, "mp4"],
	["mdat", 4, "mp4"],
	["wide", 4, "mp4"],
	["free", 4, "mp4"],
	["skip", 4, "mp4"],
	["\x1aE\xdf\xa3", 0, "matroska"],
	["#!AMR", 0, "amr"],
	["\0\0\x01\xba", 0, "mpeg-ps"],
];

const OTHER: [string, number, UnsupportedAudioCode, string][] = [
	["PK\x03\x04", 0, "not_audio", "a ZIP archive (or an office document)"],
	["PK\x05\x06", 0, "not_audio", "an empty ZIP archive"],
	["%PDF", 0, "not_audio", "a PDF document"],
	["\x1f\x8b", 0, "not_audio", "a gzip archive"],
	["7z\xbc\xaf\x27\x1c", 0, "not_audio", "a 7-Zip archive"],
	["Rar!", 0, "not_audio", "a RAR archive"],
	["\x89PNG", 0, "not_audio", "a PNG image"],
	["\xff\xd8\xff", 0, "not_audio", "a JPEG image"],
	["GIF8", 0, "not_audio", "a GIF image"],
	["\x7fELF", 0, "not_audio", "a program"],
	["MZ", 0, "not_audio", "a program"],
	["SQLite format", 0, "not_audio", "a database"],
	["MThd", 0, "not_audio", "a MIDI file, which contains notes but no audio"],
	["\x30\x26\xb2\x75\x8e\x66\xcf\x11", 0, "unsupported_container", "Windows Media (ASF, WMA)"],
	["caff", 0, "unsupported_container", "Core Audio (CAF)"],
	["FORM", 0, "unsupported_container", "AIFF"],
	[".snd", 0, "unsupported_container", "Sun audio (AU)"],
	["FLV", 0, "unsupported_container", "Flash video"],
	["wvpk", 0, "unsupported_container", "WavPack"],
	["MAC ", 0, "unsupported_container", "Monkey's Audio"],
	[".RMF", 0, "unsupported_container", "RealMedia"],
	["DSD ", 0, "unsupported_container", "DSF"],
	["\0\0\x01\xb3", 0, "unsupported_container", "an MPEG video stream without audio"],
	["riff", 0, "unsupported_container", "Wave64"],
];

/**
 * Finds the container by the first bytes of a file.
 * @throws UnsupportedAudio if the file is something else, which the message names.
 */
export function sniff(head: Uint8Array): Container {
	if (head.length === 0) throw new UnsupportedAudio("empty", "The file is empty.");
	const starts = (text: string, at: number) => ascii(head, at, text.length) === text;
	if (starts("RIFF", 0) && !starts("WAVE", 8) && head.length >= 12) {
		const type = ascii(head, 8, 4).trim();
		const image = type === "WEBP";
		throw refusal(
			image ? "not_audio" : "unsupported_container",
			image ? "a WebP image" : `RIFF of type ${type}`,
		);
	}
	const audio = AUDIO.find(([text, at]) => starts(text, at));
	if (audio) return audio[2];
	if (u8(head, 0) === 0x47 && u8(head, 188) === 0x47 && (head.length < 377 || u8(head, 376) === 0x47)) {
		return "mpeg-ts";
	}
	const other = OTHER.find(([text, at]) => starts(text, at));
	if (other) throw refusal(other[2], other[3]);
	const text = textKind(head);
	if (text) throw refusal("not_audio", text);
	return "frames";
}

function refusal(code: UnsupportedAudioCode, what: string): UnsupportedAudio {
	const sentence =
		code === "not_audio"
			? `The file is not audio: it is ${what}.`
			: `Files of this type are not supported: ${what}.`;
	return new UnsupportedAudio(code, sentence);
}

/** Names the kind of text, or returns null if the bytes are not text. */
function textKind(head: Uint8Array): string | null {
	const sample = head.subarray(0, 1024);
	const odd = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127).length;
	if (odd > 0) return null;
	try {
		new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(
			sample.subarray(0, sample.length - (sample.length > 8 ? 4 : 0)),
			{
				stream: true,
			},
		);
	} catch {
		return null;
	}
	const text = ascii(sample, 0, 512)
		.replace(/^\xef\xbb\xbf/, "")
		.trimStart()
		.toLowerCase();
	if (text.startsWith("<!doctype html") || text.startsWith("<html")) return "a web page (HTML)";
	if (text.startsWith("<")) return "a text file (XML)";
	if (text.startsWith("{") || text.startsWith("[")) return "a text file (JSON)";
	return "a text file";
}

/** Returns the length of the ID3v2 tag that begins here, or 0 if none does. https://id3.org/id3v2.4.0-structure */
export function id3Length(head: Uint8Array): number {
	if (ascii(head, 0, 3) !== "ID3" || u8(head, 3) === 0xff) return 0;
	const size = u32(head, 6);
	if (size & 0x80808080) return 0;
	const syncsafe = (u8(head, 6) << 21) | (u8(head, 7) << 14) | (u8(head, 8) << 7) | u8(head, 9);
	const footer = u8(head, 5) & 0x10 ? 10 : 0;
	return 10 + syncsafe + footer;
}
