import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { UndecodableAudio } from "@parley/decoder/audio-decoder";
import { loadAssets, loadPronunciations } from "./assets.ts";
import { Gate } from "./gate.ts";
import { readForm } from "./read-form.ts";
import { RecogniserPool } from "./recogniser-pool.ts";
import { RequestError } from "./request-error.ts";
import { transcribe } from "./transcribe.ts";
import { MODEL, parseTranscriptionRequest } from "./transcription-request.ts";
import { renderTranscript } from "./transcription-response.ts";
import { NO_VOCABULARY, resolveVocabulary } from "./vocabulary.ts";

export interface SpeechServerOptions {
	/** Recognisers. */
	threads: number;
	/** Requests beyond one for each of those, before they are refused with 503. */
	maxQueued: number;
	maxBodyBytes: number;
	/** How long one utterance (14 s at most) may take. */
	stepTimeoutMs: number;
	/** Takes what went wrong inside, which the client is not told. */
	log?: (error: unknown) => void;
}

export interface SpeechServer {
	http: Server;
	pool: RecogniserPool;
	close(): Promise<void>;
}

/** A page of the server: its answer, as JSON unless it says otherwise. */
type Handler = (
	request: IncomingMessage,
	signal: AbortSignal,
) => Promise<{ contentType: string; body: string }>;

/**
 * Requests worked on at a time beyond one for each recogniser, so that short ones get in beside long ones. Each has a
 * decoder and a few utterances in memory.
 */
const SPARE_SEATS = 8;

/** Makes the server, its first recogniser warm; it does not listen yet. */
export async function createSpeechServer(options: SpeechServerOptions): Promise<SpeechServer> {
	const { threads, maxQueued, maxBodyBytes, stepTimeoutMs, log = console.error } = options;
	const { decoder, ...input } = await loadAssets();
	const pool = new RecogniserPool({ size: threads, input, timeoutMs: stepTimeoutMs });
	await pool.listen(new Int16Array(1600));
	const gate = new Gate({ seats: threads + SPARE_SEATS, bytes: threads * maxBodyBytes });
	let requests = 0;

	const routes: Record<string, Record<string, Handler>> = {
		"/health": {
			GET: async () => {
				const active = Math.min(requests, threads);
				return json({ status: "ok", model: MODEL, threads, active, queued: requests - active });
			},
		},
		"/v1/models": {
			GET: async () =>
				json({ object: "list", data: [{ id: MODEL, object: "model", created: 0, owned_by: "parley" }] }),
		},
		"/v1/audio/transcriptions": {
			async POST(request, signal) {
				if (requests >= threads + maxQueued)
					throw new RequestError(503, "too many requests are waiting", {
						code: "queue_full",
						headers: { "retry-after": "5" },
					});
				requests++;
				try {
					const { name, audio, ...asked } = await readForm(request, maxBodyBytes).then(
						parseTranscriptionRequest,
					);
					const vocabulary = asked.vocabulary.length
						? resolveVocabulary(asked.vocabulary, loadPronunciations())
						: NO_VOCABULARY;
					const transcript = await gate
						.run(audio.byteLength, signal, () =>
							transcribe({ decoder, pool, stepTimeoutMs }, audio, vocabulary, signal),
						)
						.catch((error) => {
							if (!(error instanceof UndecodableAudio)) throw error;
							const message = `could not decode ${name} as audio: ${error.message}`;
							throw new RequestError(400, message, { param: "file", code: "undecodable_audio" });
						});
					return renderTranscript(transcript, asked.format, asked.granularities);
				} finally {
					requests--;
				}
			},
		},
	};

	const http = createServer(async (request, response) => {
		const gone = new AbortController();
		response.on("close", () => gone.abort(new Error("the client has gone")));
		try {
			const { contentType, body } = await route(routes, request)(request, gone.signal);
			response.writeHead(200, { "content-type": contentType }).end(body);
		} catch (error) {
			if (gone.signal.aborted || (request.destroyed && !request.complete)) return;
			if (!(error instanceof RequestError)) log(error);
			refuse(request, response, error);
		}
	});
	http.keepAliveTimeout = 60_000;
	return {
		http,
		pool,
		async close() {
			http.close();
			http.closeAllConnections();
			await pool.close();
		},
	};
}

function route(routes: Record<string, Record<string, Handler>>, request: IncomingMessage): Handler {
	const path = request.url?.split("?")[0] ?? "";
	const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
	if (!methods) throw new RequestError(404, `there is nothing at ${path}`, { code: "not_found" });
	const handler = methods[request.method ?? ""];
	if (handler) return handler;
	const allow = Object.keys(methods).join(", ");
	throw new RequestError(405, `${path} takes ${allow}, not ${request.method}`, { headers: { allow } });
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
	const refusal =
		error instanceof RequestError ? error : new RequestError(500, "the engine failed on this request");
	const { contentType, body } = json(refusal.toBody());
	const headers: Record<string, string> = { ...refusal.headers, "content-type": contentType };
	if (!request.complete) {
		// The client is still sending. Read on for a moment, or it may never see the answer.
		headers.connection = "close";
		request.resume();
		setTimeout(() => request.destroy(), 2000).unref();
	}
	response.writeHead(refusal.status, headers).end(body);
}

function json(value: unknown) {
	return { contentType: "application/json", body: JSON.stringify(value) };
}
