import type { SandboxCall } from "../isolate/runner.ts";
import type { Execute } from "../run.ts";
import { type Answer, answerInTime, platformFailure, readAnswer } from "../sandbox.ts";
import { keyOf, type Recipe } from "./recipe.ts";
import type { SpareInterpreters } from "./spare-interpreters.ts";

type Spares = Pick<DurableObjectStub<SpareInterpreters>, "run" | "keep">;

/**
 * Runs calls in a spare interpreter if there is one, else in a fresh one, and has a spare started for the next call.
 * @param defer runs work after the answer was given
 */
export const withSpares =
	(
		{ spares, recipe, defer }: { spares: Spares; recipe: Recipe; defer: (work: Promise<unknown>) => void },
		fresh: Execute,
	): Execute =>
	async (call) => {
		const key = await keyOf(recipe);
		const answer = await runInSpare(spares, key, call);
		if (answer) return answer;
		const first = await fresh(call);
		defer(Promise.resolve(spares.keep(key, recipe)).catch(() => {}));
		return first;
	};

/** Returns undefined if there is no spare, or it was lost: code reaches nothing outside, so running it again does no harm. */
async function runInSpare(spares: Spares, key: string, call: SandboxCall): Promise<Answer | undefined> {
	try {
		const text: unknown = await answerInTime(spares.run(key, call), call.timeoutMs);
		return text === null ? undefined : readAnswer(text);
	} catch (error) {
		const failure = platformFailure(error);
		return failure.outcome === "broken" ? undefined : failure;
	}
}
