import fc from "fast-check";
import { expect, test } from "vitest";
import { addBlock, BLOCK, firstWindow, nextWindow, PRE_ROLL, type Step, type Window } from "./windows.ts";

const RATE = 16_000;
/** A tone that swells and ebbs as syllables do, or the hiss of a quiet room. */
const voice = (length: number, from: number) =>
	Int16Array.from({ length }, (_, at) => 6000 * Math.sin((from + at) / 5) * Math.sin((from + at) / 850));
const quiet = (length: number) => Int16Array.from({ length }, (_, at) => (at % 2 === 0 ? 20 : -20));

/** Plays pieces of voice and quiet, in seconds, and tells each act with the window's bounds at that time. */
function play(pieces: ["voice" | "quiet", number][]) {
	let window: Window = firstWindow;
	const acts: { act: Step["act"]; start: number; end: number }[] = [];
	for (const [kind, duration] of pieces) {
		for (let left = Math.round(duration * RATE); left > 0; left -= BLOCK) {
			const length = Math.min(BLOCK, left);
			const step = addBlock(window, kind === "voice" ? voice(length, left) : quiet(length));
			window = step.window;
			const { start, length: samples } = window;
			if (step.act !== "none")
				acts.push({ act: step.act, start: start / RATE, end: (start + samples) / RATE });
			if (step.act === "partial") window = { ...window, partialLength: samples };
			if (step.act === "final") window = nextWindow(window);
			if (step.act === "drop") window = nextWindow(window, PRE_ROLL);
		}
	}
	return { acts, window };
}

test("a pause makes what was said final", () => {
	const { acts } = play([
		["voice", 1],
		["quiet", 1],
	]);
	expect(acts).toHaveLength(1);
	expect(acts[0]).toMatchObject({ act: "final", start: 0 });
	expect(acts[0]?.end).toBeCloseTo(1.6, 1);
});

test("a short breath does not", () => {
	const { acts } = play([
		["voice", 0.6],
		["quiet", 0.3],
		["voice", 0.5],
	]);
	expect(acts).toEqual([]);
});

test("long speech is told in partial texts and cut at the longest window", () => {
	const { acts } = play([["voice", 16]]);
	expect(acts.map(({ act }) => act)).toEqual([...Array(9).fill("partial"), "final"]);
	expect(acts.at(-1)?.end).toBeCloseTo(15, 1);
});

test("silence is let go without being heard, but for a little before the next word", () => {
	const { acts } = play([
		["quiet", 3],
		["voice", 1],
		["quiet", 1],
	]);
	const early = acts.filter(({ end }) => end <= 3);
	expect(new Set(early.map(({ act }) => act))).toEqual(new Set(["drop"]));
	const final = acts.at(-1);
	expect(final?.act).toBe("final");
	expect(final?.start).toBeLessThanOrEqual(3 - 0.2);
	expect(final?.start).toBeGreaterThan(1.9);
});

test("steady noise is not taken for a voice for long", () => {
	const noise = Int16Array.from({ length: BLOCK }, (_, at) => (at % 2 === 0 ? 1500 : -1500));
	let window = firstWindow;
	let finals = 0;
	for (let blocks = 0; blocks < 4000; blocks++) {
		const step = addBlock(window, noise);
		window = step.window;
		if (step.act === "final") finals += 1;
		if (step.act === "final") window = nextWindow(window);
		if (step.act === "drop") window = nextWindow(window, PRE_ROLL);
		if (step.act === "partial") window = { ...window, partialLength: window.length };
	}
	expect(finals).toBeLessThanOrEqual(1);
});

test("whatever is played, every sample is in a final window or in silence that was let go, in order", () => {
	const piece = fc.tuple(
		fc.constantFrom("voice" as const, "quiet" as const),
		fc.double({ min: 0.01, max: 4, noNaN: true }),
	);
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
			const { acts, window } = play(pieces);
			let covered = 0;
			for (const { act, start, end } of acts.filter(({ act: kind }) => kind !== "partial")) {
				expect(start).toBeLessThanOrEqual(covered + 1e-9);
				expect(end).toBeGreaterThan(covered);
				covered = end;
				expect(act === "final" || act === "drop").toBe(true);
			}
			const total = pieces.reduce((sum, [, duration]) => sum + Math.round(duration * RATE), 0);
			expect(window.start + window.length).toBe(total);
			expect(window.start / RATE).toBeLessThanOrEqual(covered + 1e-9);
		}),
		{ numRuns: 40 },
	);
});
