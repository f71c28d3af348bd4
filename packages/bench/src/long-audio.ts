// Recordings of any length that cost nothing to make: MPEG-2 layer III frames of 8 kbit/s whose headers are true. Nobody
// decodes them here; whoever walks, measures and cuts them finds what a recording of speech would show.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const FRAME_BYTES = 36;
const FRAME_SECONDS = 0.036;
/** Layer III of MPEG-2, 8 kbit/s, 16 kHz, mono, without checksum. */
const HEADER = [0xff, 0xf3, 0x18, 0xc4];

/** Ten seconds of frames: nine and a half as loud as speech, half a second as quiet as a pause. */
function tenSeconds(): Buffer {
	const frames = Math.round(10 / FRAME_SECONDS);
	const bytes = Buffer.alloc(frames * FRAME_BYTES);
	for (let frame = 0; frame < frames; frame++) {
		const at = frame * FRAME_BYTES;
		bytes.set(HEADER, at);
		const isPause = frame > frames - 0.5 / FRAME_SECONDS;
		// main_data_begin 8, private 1, part2_3_length 12, big_values 9, global_gain 8 (ISO 13818-3, 2.4.1.7).
		const gain = isPause ? 120 : 190 + ((frame * 7) % 11);
		const fields = (BigInt(160) << 17n) | (BigInt(40) << 8n) | BigInt(gain);
		const sideInfo = fields << 2n;
		for (let byte = 0; byte < 5; byte++)
			bytes[at + 4 + byte] = Number((sideInfo >> BigInt(32 - 8 * byte)) & 0xffn);
		for (let byte = 13; byte < FRAME_BYTES; byte++) bytes[at + byte] = (frame * 31 + byte * 17) % 251;
	}
	return bytes;
}

const BLOCK = tenSeconds();

export type Recording = {
	bytes: number;
	seconds: number;
	read: (start: number, end: number) => Uint8Array<ArrayBuffer>;
};

export function longRecording(hours: number): Recording {
	const blocks = Math.round((hours * 3600) / ((BLOCK.length / FRAME_BYTES) * FRAME_SECONDS));
	const bytes = blocks * BLOCK.length;
	return {
		bytes,
		seconds: (bytes / FRAME_BYTES) * FRAME_SECONDS,
		read(start, end) {
			const out = Buffer.alloc(Math.max(0, Math.min(end, bytes) - start));
			for (let at = 0; at < out.length; ) {
				const from = (start + at) % BLOCK.length;
				at += BLOCK.copy(out, at, from, Math.min(BLOCK.length, from + out.length - at));
			}
			return out;
		},
	};
}

/** Serves a recording at a loopback address. */
export async function hostRecording({ bytes, read }: Recording): Promise<{ url: string; stop: () => void }> {
	const server = createServer(async (_request, response) => {
		response.writeHead(200, { "content-type": "audio/mpeg", "content-length": bytes, etag: '"long"' });
		for (let at = 0; at < bytes; at += BLOCK.length) {
			if (!response.write(read(at, at + BLOCK.length))) await new Promise((go) => response.once("drain", go));
		}
		response.end();
	}).listen(0, "127.0.0.1");
	await new Promise((listening) => server.once("listening", listening));
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/long.mp3`, stop: () => server.close() };
}
