// A caller's voice: recordings that go through the live speech endpoint as a telephone line would send them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";

type SpeechEvent = { type: string; text?: string; message?: string };

const WAVE_HEADER_BYTES = 44;
/** 100 ms of 16-bit samples at 16 kHz. */
const PIECE_BYTES = 3200;

/** Plays a recording of the fixtures into `GET /v1/stt/{model}` over WebSocket. @returns the final text */
export async function recognise(
	{ baseUrl, key, model }: { baseUrl: string; key: string; model: string },
	recording: string,
): Promise<string> {
	const file = join(root, "packages/testing/fixtures/speech", recording);
	const samples = readFileSync(file).subarray(WAVE_HEADER_BYTES);
	// Node's WebSocket takes headers, which the type of browsers does not know.
	const options = { headers: { authorization: `Bearer ${key}` } } as unknown as string[];
	const socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/v1/stt/${model}`, options);
	const texts: string[] = [];
	const ended = new Promise<void>((resolve, reject) => {
		socket.addEventListener("message", ({ data }) => {
			const event = JSON.parse(String(data)) as SpeechEvent;
			if (event.type === "final") texts.push(event.text ?? "");
			if (event.type === "error") reject(new Error(`Speech recognition failed: ${event.message}`));
		});
		socket.addEventListener("open", () => {
			for (let at = 0; at < samples.length; at += PIECE_BYTES)
				socket.send(new Uint8Array(samples.subarray(at, at + PIECE_BYTES)));
			socket.send(JSON.stringify({ type: "finish" }));
		});
		socket.addEventListener("error", () => reject(new Error("The speech endpoint closed the connection")));
		socket.addEventListener("close", () => resolve());
	});
	await ended;
	return texts.join(" ");
}
