import type { AudioCodec } from "../../audio-info.ts";
import { ascii, u8, u16, u32 } from "../../bytes.ts";
import { readAacConfig } from "../../codecs/aac.ts";
import { broken, unsupportedCodec } from "../../unsupported-audio.ts";
import { boxes, findBox } from "./boxes.ts";

/** How the audio of a track is encoded. `config` is the decoder configuration (AudioSpecificConfig, dOps, STREAMINFO). */
export type SampleEntry = { codec: AudioCodec; channels: number; sampleRate: number; config: Uint8Array };

/** Names of codecs that are not supported. */
const NAMES: Record<string, string> = {
	sowt: "PCM in MP4",
	twos: "PCM in MP4",
	lpcm: "PCM in MP4",
	ipcm: "PCM in MP4",
	fpcm: "PCM in MP4",
	in24: "PCM in MP4",
	ima4: "IMA ADPCM",
	dtsc: "DTS",
	dtsh: "DTS",
	mlpa: "Dolby TrueHD",
	"ac-4": "Dolby AC-4",
	enca: "encrypted audio",
	QDM2: "QDesign Music",
};

/** Reads the first sample entry of an audio track (`stsd`). @throws UnsupportedAudio for codecs that are not supported. */
export function readSampleEntry(b: Uint8Array, from: number, to: number): SampleEntry {
	const entry = [...boxes(b, from + 8, to)][0];
	if (!entry) throw broken("its audio track has no sample entry");
	const quickTime = u16(b, entry.body + 8);
	const channels = u16(b, entry.body + 16);
	const sampleRate = u32(b, entry.body + 24) / 0x10000;
	const inner = entry.body + 28 + (quickTime === 1 ? 16 : quickTime === 2 ? 36 : 0);
	const end = Math.min(entry.end, to);
	const find = (path: string) => findBox(b, inner, end, path);
	const plain = { channels, sampleRate, config: new Uint8Array(0) };
	switch (entry.type) {
		case "mp4a": {
			const esds = find("esds") ?? find("wave/esds");
			if (esds) return { ...plain, ...readEsds(b, esds.body + 4, esds.end, plain) };
			break;
		}
		case ".mp3":
		case "ms\0\x55":
			return { ...plain, codec: "mp3" };
		case "Opus": {
			const dops = find("dOps");
			if (dops)
				return {
					codec: "opus",
					channels: u8(b, dops.body + 1),
					sampleRate: 48000,
					config: b.slice(dops.body, dops.end),
				};
			break;
		}
		case "fLaC": {
			const dfla = find("dfLa");
			if (dfla) return { ...plain, codec: "flac", config: b.slice(dfla.body + 8, dfla.body + 42) };
			break;
		}
		case "alac":
			return { ...plain, codec: "alac" };
		case "samr":
			return { ...plain, codec: "amr_nb", channels: 1, sampleRate: 8000 };
		case "sawb":
			return { ...plain, codec: "amr_wb", channels: 1, sampleRate: 16000 };
		case "ac-3":
			return { ...plain, codec: "ac3" };
		case "ec-3":
			return { ...plain, codec: "eac3" };
	}
	throw unsupportedCodec(NAMES[entry.type] ?? `“${entry.type}”`);
}

/** Reads the codec from an ES descriptor (ISO 14496-1, 7.2.6): the object type and, for AAC, the AudioSpecificConfig. */
function readEsds(
	b: Uint8Array,
	from: number,
	to: number,
	plain: { channels: number; sampleRate: number },
): SampleEntry {
	let objectType = 0;
	let config = new Uint8Array(0);
	const descend = (at: number, end: number): void => {
		while (at + 2 <= end) {
			const tag = u8(b, at++);
			let size = 0;
			for (let index = 0; index < 4; index++) {
				const byte = u8(b, at++);
				size = size * 128 + (byte & 0x7f);
				if (byte < 0x80) break;
			}
			const body = at;
			at += size;
			if (tag === 3) {
				const flags = u8(b, body + 2);
				const url = flags & 0x40 ? u8(b, body + 3) + 1 : 0;
				descend(body + 3 + (flags & 0x80 ? 2 : 0) + url + (flags & 0x20 ? 2 : 0), Math.min(at, end));
			} else if (tag === 4) {
				objectType = u8(b, body);
				descend(body + 13, Math.min(at, end));
			} else if (tag === 5) config = b.slice(body, Math.min(at, end));
		}
	};
	descend(from, to);
	if (objectType === 0x69 || objectType === 0x6b) return { ...plain, codec: "mp3", config };
	const aac = objectType === 0x40 || (objectType >= 0x66 && objectType <= 0x68);
	if (aac && config.length >= 2) return { ...plain, codec: "aac", config, ...readAacConfig(config) };
	if (objectType === 0xa5) return { ...plain, codec: "ac3", config };
	if (objectType === 0xa6) return { ...plain, codec: "eac3", config };
	throw unsupportedCodec(`MPEG-4 object type 0x${objectType.toString(16)}`);
}

/** Returns the brand of a file, which tells audio files from video files. */
export const brandOf = (head: Uint8Array): string => ascii(head, 8, 4);
