import { type SpeechStreamEvent, STREAM_SAMPLE_RATE } from "@parley/contracts/platform/speech-stream";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Recognition } from "@parley/engines/speech/speech-engine";
import { PcmBuffer } from "./pcm-buffer.ts";
import { addBlock, BLOCK, firstWindow, nextWindow, PRE_ROLL, type Window } from "./windows.ts";

export type StreamDeps = {
	/** Transcribes a WAV file. `before` is the text before it. */
	recognise: (wav: Uint8Array, before: string) => Promise<Recognition>;
	/** Records the use of audio, in seconds. */
	charge: (seconds: number) => Promise<void>;
	send: (event: SpeechStreamEvent) => void;
	partials: boolean;
};

/** Maximum audio that waits for the engine. */
export const MAX_WAITING_BYTES = 20 * 1024 * 1024;
/** Characters of earlier text that an engine gets as context. */
const CONTEXT_CHARACTERS = 200;

/** Turns audio into texts: cuts the stream into windows at pauses and transcribes them in order. */
export class SpeechStream {
	private readonly deps: StreamDeps;
	private readonly pcm = new PcmBuffer();
	private window: Window = firstWindow;
	private finals: Promise<void> = Promise.resolve();
	private waitingBytes = 0;
	private hasPartialRunning = false;
	private isStopped = false;
	private before = "";

	constructor(deps: StreamDeps) {
		this.deps = deps;
	}

	/** Adds audio. @returns false when too much audio waits, because the caller sends faster than the engine transcribes */
	addAudio(bytes: Uint8Array): boolean {
		const samples = this.pcm.append(bytes);
		for (let at = 0; at < samples.length; at += BLOCK) this.step(samples.subarray(at, at + BLOCK));
		return this.waitingBytes <= MAX_WAITING_BYTES;
	}

	/** Transcribes the rest and sends `done`. */
	async finish(): Promise<void> {
		const { voiced, start, length } = this.window;
		if (voiced) this.finalise();
		else if (length > 0) this.drop(0);
		await this.finals;
		if (!this.isStopped) this.deps.send({ type: "done", duration: (start + length) / STREAM_SAMPLE_RATE });
	}

	/** Stops transcribing, because the caller has gone. */
	stop(): void {
		this.isStopped = true;
	}

	private step(block: Int16Array): void {
		const { window, act } = addBlock(this.window, block);
		this.window = window;
		if (act === "final") this.finalise();
		else if (act === "drop") this.drop(PRE_ROLL);
		else if (act === "partial") this.transcribePartial();
	}

	private finalise(): void {
		const window = this.window;
		this.window = nextWindow(window);
		const wav = this.cut(window);
		this.waitingBytes += wav.byteLength;
		this.finals = this.finals.then(async () => {
			if (!this.isStopped) await this.transcribe(window, wav);
			this.waitingBytes -= wav.byteLength;
		});
	}

	private drop(kept: number): void {
		const seconds = (this.window.length - kept) / STREAM_SAMPLE_RATE;
		this.window = nextWindow(this.window, kept);
		this.pcm.dropBefore(this.window.start);
		this.finals = this.finals.then(() => this.deps.charge(seconds));
	}

	private async transcribe(window: Window, wav: Uint8Array): Promise<void> {
		const { start, end } = bounds(window);
		try {
			const { text, words } = await this.deps.recognise(wav, this.before);
			const placed = words.map((word) => ({
				word: word.word,
				start: start + word.start,
				end: start + word.end,
				confidence: word.confidence,
			}));
			if (text && !this.isStopped) this.deps.send({ type: "final", text, start, end, words: placed });
			this.before = `${this.before} ${text}`.trim().slice(-CONTEXT_CHARACTERS);
		} catch (error) {
			const { code, message } = error instanceof ApiError ? error : INTERNAL;
			if (!this.isStopped) this.deps.send({ type: "error", code, message, start, end });
		}
		await this.deps.charge(end - start);
	}

	/** Transcribes the unfinished window, one at a time. An older text never follows a newer one. */
	private transcribePartial(): void {
		this.window = { ...this.window, partialLength: this.window.length };
		if (!this.deps.partials || this.hasPartialRunning || this.waitingBytes > 0) return;
		const window = this.window;
		this.hasPartialRunning = true;
		this.deps
			.recognise(this.cut(window), this.before)
			.then(({ text }) => {
				const isCurrent = this.window.start === window.start && !this.isStopped;
				if (text && isCurrent) this.deps.send({ type: "partial", text, ...bounds(window) });
			})
			// The final text of the window reports the error.
			.catch(() => undefined)
			.finally(() => {
				this.hasPartialRunning = false;
			});
	}

	private cut({ start, length }: Window): Uint8Array {
		const wav = this.pcm.toWav(start, length);
		this.pcm.dropBefore(this.window.start);
		return wav;
	}
}

const INTERNAL = { code: "INTERNAL_ERROR", message: "Internal server error" };

const bounds = ({ start, length }: Window): { start: number; end: number } => ({
	start: start / STREAM_SAMPLE_RATE,
	end: (start + length) / STREAM_SAMPLE_RATE,
});
