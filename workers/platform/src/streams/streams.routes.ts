import { ApiError } from "@parley/contracts/api-error";
import { SpeechStreamEvent, SpeechStreamQuery } from "@parley/contracts/speech-stream";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import { openStream } from "./streams.service.ts";

export const streamsRoutes = createPlatformRouter();

streamsRoutes.route(
	{
		method: "get",
		path: "/v1/stt/{model+}",
		operationId: "streamSpeech",
		summary: "Transcribe while someone speaks, over WebSocket",
		description: [
			"The key goes into the upgrade request. Send binary frames of 16 kHz, 16-bit little-endian, mono PCM;",
			'send `{"type":"finish"}` as text when there is no more. Each answer is a text frame with one event.',
			"A stream that begins like a file (WAV too), looks compressed or ends within a sample is closed with 1003.",
			"Close codes: 1000 done, 1003 not PCM, 1009 too large, 4401 key no longer valid, 4402 no credit left,",
			"4408 idle for 30 seconds, 4429 audio faster than it can be heard.",
		].join(" "),
		tag: "Speech",
		access: "speech:use",
		rate: "run",
		params: z.object({ model: z.string().min(1).max(200).meta({ example: "parley/pocketsphinx-en-us" }) }),
		query: SpeechStreamQuery,
		status: 101,
		otherResponses: {
			101: {
				description: "The socket is open; events follow",
				content: { "application/json": { schema: SpeechStreamEvent } },
			},
		},
		errors: ["MODEL_NOT_FOUND", "INSUFFICIENT_CREDITS", "UNSUPPORTED_MEDIA_TYPE"],
	},
	async ({ ctx, params, query, request }) => {
		if (request.headers.get("upgrade")?.toLowerCase() !== "websocket")
			throw new ApiError("VALIDATION_FAILED", "Upgrade to websocket to stream audio, or POST a recording");
		return new Response(null, { status: 101, webSocket: await openStream(ctx, params.model, query) });
	},
);
