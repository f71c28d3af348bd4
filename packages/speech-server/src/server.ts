import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { UndecodableAudio } from "@parley/decoder/audio-decoder";
import { loadAssets, loadPronunciations } from "./assets.ts";
import { RecogniserPool } from "./recognition/recogniser-pool.ts";
import { transcribe } from "./recognition/transcribe.ts";
import { readForm } from "./requests/read-form.ts";
import { RequestError } from "./requests/request-error.ts";
import { MODEL, parseTranscriptionRequest } from "./requests/transcription-request.ts";
import { renderTranscript } from "./requests/transcription-response.ts";
import { Semaphore } from "./semaphore.ts";
import { NO_VOCABULARY, resolveVocabulary } from "./vocabulary/vocabulary.ts";

export interface SpeechServerOptions {
	/** Number of recognisers. */
	threads: number;
	/** Requests to accept beyond one per recogniser. Further ones get a 503. */
	maxQueued: number;
	maxBodyBytes: number;
	/** Maximum time for one utterance, which lasts 14 s at most. */
	stepTimeoutMs: number;
	/** Logs internal errors, which clients do not see. */
	log?: (error: unknown) => void;
}

export interface SpeechServer {
	http: Server;
	pool: RecogniserPool;
	close(): Promise<void>;
}

/** Handles a request and returns the response. */
type Handler = (
	request: IncomingMessage,
	signal: AbortSignal,
) => Promise<{ contentType: string; body: string }>;

/**
 * Requests to process at once beyond one per recogniser, so that short ones run next to long ones. Each holds a decoder and a few utterances in
 * memory.
 */
const SPARE_SLOTS = 8;

/** Creates the server and warms up its first recogniser. The server does not listen yet. */
export async function createSpeechServer(options: SpeechServerOptions): Promise<SpeechServer> {
	const { threads, maxQueued, maxBodyBytes, stepTimeoutMs, log = console.error } = options;
	const { decoder, ...input } = await loadAssets();
	const pool = new RecogniserPool({ size: threads, input, timeoutMs: stepTimeoutMs });
	await pool.recognise(new Int16Array(1600));
	const semaphore = new Semaphore({ slots: threads + SPARE_SLOTS, bytes: threads * maxBodyBytes });
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
					const { name, audio, ...options } = await readForm(request, maxBodyBytes).then(
						parseTranscriptionRequest,
					);
					const vocabulary = options.vocabulary.length
						? resolveVocabulary(options.vocabulary, loadPronunciations())
						: NO_VOCABULARY;
					const transcript = await semaphore
						.withSlot(audio.byteLength, signal, () =>
							transcribe({ decoder, pool, stepTimeoutMs }, audio, vocabulary, signal),
						)
						.catch((error) => {
							if (!(error instanceof UndecodableAudio)) throw error;
							const message = `could not decode ${name} as audio: ${error.message}`;
							throw new RequestError(400, message, { param: "file", code: "undecodable_audio" });
						});
					return renderTranscript(transcript, options.format, options.granularities);
				} finally {
					requests--;
				}
			},
		},
	};

	const http = createServer(async (request, response) => {
		const disconnected = new AbortController();
		response.on("close", () => disconnected.abort(new Error("the client disconnected")));
		try {
			const { contentType, body } = await route(routes, request)(request, disconnected.signal);
			response.writeHead(200, { "content-type": contentType }).end(body);
		} catch (error) {
			if (disconnected.signal.aborted || (request.destroyed && !request.complete)) return;
			if (!(error instanceof RequestError)) log(error);
			sendError(request, response, error);
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
	if (!methods) throw new RequestError(404, `${path} does not exist`, { code: "not_found" });
	const handler = methods[request.method ?? ""];
	if (handler) return handler;
	const allow = Object.keys(methods).join(", ");
	throw new RequestError(405, `${path} accepts ${allow}, not ${request.method}`, { headers: { allow } });
}

/** Sends an error response. */
function sendError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
	const failure =
		error instanceof RequestError ? error : new RequestError(500, "the engine failed on this request");
	const { contentType, body } = json(failure.toBody());
	const headers: Record<string, string> = { ...failure.headers, "content-type": contentType };
	if (!request.complete) {
		// The client is still sending. Without further reads it may never see the response.
		headers.connection = "close";
		request.resume();
		setTimeout(() => request.destroy(), 2000).unref();
	}
	response.writeHead(failure.status, headers).end(body);
}

function json(value: unknown) {
	return { contentType: "application/json", body: JSON.stringify(value) };
}
