import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { createSpeechRegistry } from "@parley/engines/speech/speech-registry";
import { type EngineErrorCode, engineError } from "@parley/engines/transport/engine-error";
import { describe, expect, test } from "vitest";
import { createPipeline, insertJob } from "../../test/pipeline.ts";
import { StepError } from "../step-error.ts";
import { enginesFor, recogniseWithFallback, shouldFallBack } from "./fallback.ts";

const failing = (code: EngineErrorCode, retryAfterMs?: number) =>
	engineError(code, "test", retryAfterMs === undefined ? {} : { retryAfterMs });

describe("an engine is given up", () => {
	test.each<[EngineErrorCode, number, boolean]>([
		["engine_unauthorized", 1, true],
		["engine_rejected_request", 1, true],
		["engine_unavailable", 2, false],
		["engine_unavailable", 3, true],
		["engine_timeout", 2, false],
		["engine_timeout", 3, true],
		["engine_rate_limited", 2, false],
		["engine_rate_limited", 3, true],
		["engine_bad_response", 3, true],
		["engine_rejected_audio", 9, false],
	])("for %s at try %d: %s", (code, tries, isOver) => {
		expect(shouldFallBack(failing(code), tries)).toBe(isOver);
	});

	test("at once when it wants to be left alone for long", () => {
		expect(shouldFallBack(failing("engine_rate_limited", 60_000), 1)).toBe(false);
		expect(shouldFallBack(failing("engine_rate_limited", 60_001), 1)).toBe(true);
	});

	test("not for what no engine has done", () => {
		expect(shouldFallBack(new StepError("input_broken", "The file is damaged."), 9)).toBe(false);
	});
});

describe("of several engines", () => {
	const engines = ["a", "b", "c"].map((code) => ({ code }) as SpeechEngine) as [SpeechEngine, SpeechEngine];
	/** Runs the fallback with engines that throw or transcribe. */
	const recognise = (behaviour: Record<string, Error | undefined>, asked: string[] = []) =>
		recogniseWithFallback(engines, 3, async ({ code }) => {
			asked.push(code);
			const error = behaviour[code];
			if (error) throw error;
			return { warnings: ["own"] };
		});

	test("the first hears, and no other is asked", async () => {
		const asked: string[] = [];
		expect(await recognise({}, asked)).toEqual({ engine: "a", warnings: ["own"] });
		expect(asked).toEqual(["a"]);
	});

	test("the next ones take over in turn, which a warning says", async () => {
		const behaviour = { a: failing("engine_unauthorized"), b: failing("engine_unavailable") };
		expect(await recognise(behaviour)).toEqual({
			engine: "c",
			warnings: ["own", "a could not be used: c recognised the audio or parts of it."],
		});
	});

	test("none takes over audio that one has refused", async () => {
		const asked: string[] = [];
		await expect(recognise({ a: failing("engine_rejected_audio") }, asked)).rejects.toMatchObject({
			code: "engine_rejected_audio",
		});
		expect(asked).toEqual(["a"]);
	});

	test("a transient failure is reported when all engines fail, else the first one's failure", async () => {
		const [unauthorized, away] = [failing("engine_unauthorized"), failing("engine_unavailable")];
		await expect(recognise({ a: unauthorized, b: away, c: unauthorized })).rejects.toBe(away);
		const rejected = failing("engine_rejected_request");
		await expect(recognise({ a: unauthorized, b: rejected, c: rejected })).rejects.toBe(unauthorized);
	});
});

test("a fallback that cannot do all that the job asks is passed over", async () => {
	const model = (code: string, languages: string[], fallback?: string) => ({
		code,
		model: "whisper-1",
		languages,
		...(fallback && { fallback }),
	});
	const SPEECH_ENGINES = JSON.stringify([
		{
			vendor: "openai-compatible",
			base_url: "https://engine.example/v1",
			models: [model("test/whisper", ["en"], "b"), model("b", ["de"], "c"), model("c", ["en", "de"])],
		},
	]);
	const { ctx } = createPipeline({ engines: () => createSpeechRegistry({ SPEECH_ENGINES }) });
	expect(enginesFor(ctx, await insertJob()).map(({ code }) => code)).toEqual(["test/whisper", "c"]);
});
