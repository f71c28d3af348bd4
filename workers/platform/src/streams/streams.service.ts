import { heldCredential } from "@parley/auth/credential-state";
import { usageAccount } from "@parley/context/actor";
import type { Region } from "@parley/contracts/platform/regions";
import type { SpeechStreamQuery } from "@parley/contracts/platform/speech-stream";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import { accountOf, requireCredit } from "../speech/credit.ts";
import { assertFeatures, findSpeechEngine } from "../speech/speech.service.ts";
import { START_HEADER, type StreamStart } from "./stream-start.ts";

const LOCATIONS = {
	"us-east": "enam",
	"us-west": "wnam",
	"eu-west": "weur",
	"eu-north": "eeur",
	"ap-south": "apac",
	"ap-southeast": "apac",
	"ap-northeast": "apac",
} as const satisfies Record<Region, DurableObjectLocationHint>;

/**
 * Opens a stream to a model, in the chosen region.
 * @throws ApiError MODEL_NOT_FOUND; VALIDATION_FAILED for a feature that the engine lacks; UNSUPPORTED_MEDIA_TYPE;
 * INSUFFICIENT_CREDITS; FORBIDDEN for an actor whose credential cannot be checked while the stream is open.
 */
export async function openStream(ctx: Ctx, model: string, query: SpeechStreamQuery): Promise<WebSocket> {
	const engine = findSpeechEngine(ctx, model);
	if (!engine.capabilities.formats.includes("wav"))
		throw new ApiError(
			"UNSUPPORTED_MEDIA_TYPE",
			`${engine.code} does not work over WebSocket: it does not take WAV audio`,
		);
	assertFeatures(engine, query);
	await requireCredit(accountOf(ctx));
	const credential = heldCredential(ctx.actor);
	if (!credential) throw new ApiError("FORBIDDEN", "Streams need an API key or a console session");
	const start: StreamStart = {
		region: ctx.region,
		model: engine.code,
		language: query.language,
		partials: query.partials === "true",
		credential,
		usageAccount: usageAccount(ctx.actor),
		requestId: ctx.requestId,
	};
	const sessions = ctx.home.SPEECH_SESSIONS;
	const session = sessions.get(sessions.newUniqueId(), { locationHint: LOCATIONS[ctx.region] });
	const { webSocket } = await session.fetch("https://session.internal/", {
		headers: { upgrade: "websocket", [START_HEADER]: JSON.stringify(start) },
	});
	if (!webSocket) throw new Error("The session returned no socket");
	return webSocket;
}
