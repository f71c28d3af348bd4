import { DurableObject } from "cloudflare:workers";
import { isStillValid } from "@parley/auth/credential-state";
import { logError } from "@parley/context/log";
import {
	SpeechStreamCommand,
	type SpeechStreamEvent,
	STREAM_SAMPLE_RATE,
} from "@parley/contracts/platform/speech-stream";
import { openDatabase } from "@parley/db/client";
import { organisations } from "@parley/db/platform/organisations";
import { eq } from "drizzle-orm";
import { enginesOf } from "../engines.ts";
import { regionalEnv } from "../regions/deployment.ts";
import { type Account, chargeAudio, isSpent } from "../speech/credit.ts";
import { findSpeechEngine, recognise } from "../speech/speech.service.ts";
import { PcmHead } from "./pcm-head.ts";
import { SpeechStream } from "./speech-stream.ts";
import { START_HEADER, type StreamStart } from "./stream-start.ts";

const CLOSE = {
	done: 1000,
	notAudio: 1003,
	tooLarge: 1009,
	unauthorised: 4401,
	noCredit: 4402,
	idle: 4408,
	tooFast: 4429,
} as const;

const MAX_FRAME_BYTES = 1024 * 1024;
const MAX_STREAM_BYTES = 4 * 3600 * STREAM_SAMPLE_RATE * 2;
const IDLE_MS = 30_000;
/** A revoked key or session stops working within ten seconds, on an open stream too. */
const CHECK_MS = 5_000;

/** Durable Object that serves one WebSocket of live speech, in the region chosen for the caller's request. */
export class SpeechSession extends DurableObject<Env> {
	private start!: StreamStart;
	private socket!: WebSocket;
	private stream!: SpeechStream;
	private watch: ReturnType<typeof setInterval> | null = null;
	private readonly head = new PcmHead();
	private receivedBytes = 0;
	private lastFrameAt = Date.now();
	private isFinishing = false;
	private isClosed = false;

	override async fetch(request: Request): Promise<Response> {
		this.start = JSON.parse(request.headers.get(START_HEADER) ?? "null") as StreamStart;
		const { 0: client, 1: server } = new WebSocketPair();
		this.socket = server;
		this.stream = this.createStream();
		server.binaryType = "arraybuffer";
		server.accept();
		server.addEventListener("message", ({ data }) => this.receive(data));
		server.addEventListener("close", () => this.end());
		server.addEventListener("error", () => this.end());
		this.watch = setInterval(() => this.check().catch((error) => this.log(error)), CHECK_MS);
		this.send({ type: "ready", model: this.start.model, sample_rate: STREAM_SAMPLE_RATE });
		return new Response(null, { status: 101, webSocket: client });
	}

	private createStream(): SpeechStream {
		const { model, language, partials, region } = this.start;
		const engine = findSpeechEngine({ engines: () => enginesOf(regionalEnv(this.env, region)) }, model);
		return new SpeechStream({
			partials,
			send: (event) => this.send(event),
			charge: (seconds) => chargeAudio(this.account, engine.code, seconds).catch((error) => this.log(error)),
			recognise: (wav, before) =>
				recognise(engine, wav, { language, ...(before && { prompt: before }) }).catch((error) => {
					this.log(error);
					throw error;
				}),
		});
	}

	private get account(): Account {
		const { credential, usageAccount } = this.start;
		const { organisationId } = credential;
		return { db: openDatabase(this.env.DB), clock: () => new Date(), organisationId, usageAccount };
	}

	private receive(data: ArrayBuffer | string): void {
		if (this.isFinishing || this.isClosed) return;
		this.lastFrameAt = Date.now();
		if (typeof data === "string") this.takeCommand(data);
		else this.takeAudio(new Uint8Array(data));
	}

	private takeAudio(bytes: Uint8Array): void {
		this.receivedBytes += bytes.byteLength;
		const otherFormat = this.head.add(bytes);
		if (bytes.byteLength > MAX_FRAME_BYTES)
			this.refuse("tooLarge", "BODY_TOO_LARGE", `A frame must not exceed ${MAX_FRAME_BYTES} bytes`);
		else if (this.receivedBytes > MAX_STREAM_BYTES)
			this.refuse("tooLarge", "BODY_TOO_LARGE", "A stream must not exceed four hours");
		else if (otherFormat !== undefined) this.refuseFormat(otherFormat);
		else if (!this.stream.addAudio(bytes))
			this.refuse("tooFast", "RATE_LIMITED", "Audio arrives faster than it can be transcribed");
	}

	private takeCommand(text: string): void {
		if (!isFinish(text)) {
			this.refuse("notAudio", "VALIDATION_FAILED", 'Send audio, or {"type":"finish"} as text');
			return;
		}
		const otherFormat = this.head.end();
		if (otherFormat !== undefined) this.refuseFormat(otherFormat);
		else if (this.receivedBytes % 2 === 1)
			this.refuse(
				"notAudio",
				"VALIDATION_FAILED",
				"The audio ends in the middle of a sample: send 16-bit samples",
			);
		else this.finish();
	}

	private finish(): void {
		this.isFinishing = true;
		this.stream.finish().then(
			() => this.close("done", "finished"),
			(error) => this.log(error),
		);
	}

	/** Closes the stream if no audio arrives, the credential has become invalid, or no credit is left. */
	private async check(): Promise<void> {
		// After `finish` the client waits for us.
		if (!this.isFinishing && Date.now() - this.lastFrameAt > IDLE_MS)
			return this.refuse("idle", "IDLE_TIMEOUT", `No audio for ${IDLE_MS / 1000} seconds`);
		const { account } = this;
		const [isValid, [row]] = await Promise.all([
			isStillValid(account, this.start.credential),
			account.db
				.select({ creditSeconds: organisations.creditSeconds })
				.from(organisations)
				.where(eq(organisations.id, account.organisationId)),
		]);
		if (!isValid || !row) this.refuse("unauthorised", "AUTH_REQUIRED", "Invalid API key or session");
		else if (isSpent(row.creditSeconds))
			this.refuse("noCredit", "INSUFFICIENT_CREDITS", "Insufficient credits");
	}

	/** A close reason holds at most 123 bytes. */
	private refuseFormat(format: string): void {
		const message = `Not PCM but ${format}: send 16 kHz, 16-bit little-endian, mono samples without a header`;
		this.refuse("notAudio", "VALIDATION_FAILED", message);
	}

	private refuse(close: keyof typeof CLOSE, code: string, message: string): void {
		this.send({ type: "error", code, message });
		this.close(close, message);
	}

	private send(event: SpeechStreamEvent): void {
		if (!this.isClosed) this.socket.send(JSON.stringify(event));
	}

	private close(reason: keyof typeof CLOSE, text: string): void {
		if (this.isClosed) return;
		this.end();
		this.socket.close(CLOSE[reason], text);
	}

	private end(): void {
		this.isClosed = true;
		this.stream.stop();
		clearInterval(this.watch);
	}

	private log(error: unknown): void {
		logError("SPEECH_STREAM", error, { request_id: this.start.requestId });
	}
}

function isFinish(text: string): boolean {
	try {
		return SpeechStreamCommand.safeParse(JSON.parse(text)).success;
	} catch {
		return false;
	}
}
