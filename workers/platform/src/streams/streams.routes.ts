import { ModelCode } from "@parley/contracts/platform/catalog";
import { SpeechStreamEvent, SpeechStreamQuery } from "@parley/contracts/platform/speech-stream";
import { ApiError } from "@parley/contracts/shared/api-error";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import { openStream } from "./streams.service.ts";

export const streamsRoutes = createPlatformRouter();

streamsRoutes.route(
	{
		method: "get",
		path: "/v1/stt/{model+}",
		operationId: "streamSpeech",
		summary: "Transcribe a live stream",
		description:
			'Opens a WebSocket. Send the API key, or from the console its cookie, in the upgrade request.\n\nSend binary frames of 16-bit little-endian PCM, one channel, 16,000 samples per second. Send `{"type":"finish"}` as text after the last one. The service answers with text frames, one event each.\n\n| Close code | Meaning |\n| --- | --- |\n| 1000 | Done |\n| 1003 | A frame is not PCM audio |\n| 1009 | A frame or the stream is too long |\n| 4401 | The key or the session is no longer valid |\n| 4402 | No credit is left |\n| 4408 | No audio for 30 seconds |\n| 4429 | Audio arrives faster than it can be transcribed |',
		tag: "Speech",
		access: "speech:use",
		rate: "run",
		params: z.object({ model: ModelCode }),
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
