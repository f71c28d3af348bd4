import { expect, test } from "vitest";
import { judgeCoverage, lowCoverage } from "./judge-coverage.ts";

const chunk = (voiced: [number, number][] | null) => ({
	start: 0,
	end: 4000,
	voiced: voiced?.map(([start, end]) => ({ start, end })) ?? null,
});

test("words over half of the speech are enough, and what they leave out is named", () => {
	const words = [{ start: 0, end: 60 }];
	const judged = judgeCoverage(words, [chunk([[0, 100]])], "pcm", 0.5);
	expect(judged).toEqual({
		coverage: 0.602,
		coverageNote: null,
		gaps: [{ start_time: 60.2, end_time: 100 }],
		partial: false,
		warnings: [],
	});
});

test("words over less make it partial, with the longest gaps in the warning and ten in the list", () => {
	const voiced = Array.from({ length: 14 }, (_, index): [number, number] => [
		index * 100,
		index * 100 + 10 + index,
	]);
	const judged = judgeCoverage([{ start: 0, end: 10 }], [chunk(voiced)], "pcm", 0.5);
	expect(judged.partial).toBe(true);
	expect(judged.gaps).toHaveLength(10);
	expect(judged.gaps[0]).toEqual({ start_time: 400, end_time: 414 });
	expect(judged.warnings).toEqual([
		"Words cover 4 % of the voiced time; there are none at 0:21:40–0:22:03, 0:20:00–0:20:22, 0:18:20–0:18:41 and elsewhere.",
	]);
	expect(lowCoverage(judged)).toMatchObject({
		code: "low_coverage",
		message: judged.warnings[0],
		retryable: true,
		maxAttempts: 1,
	});
});

test("a click without a word is no partial transcript", () => {
	expect(judgeCoverage([], [chunk([[3, 3.4]])], "pcm", 0.5)).toMatchObject({ coverage: 0, partial: false });
});

test("a recording without voiced time and without words contains no speech", () => {
	expect(judgeCoverage([], [chunk([])], "pcm", 0.5)).toEqual({
		coverage: null,
		coverageNote: "No speech was found.",
		gaps: [],
		partial: false,
		warnings: ["No speech was found."],
	});
});

test("coverage is null with a reason when the levels are inconclusive", () => {
	const judged = judgeCoverage([{ start: 0, end: 1 }], [chunk(null)], "pcm", 0.5);
	expect(judged).toMatchObject({ coverage: null, partial: false, warnings: [] });
	expect(judged.coverageNote).toMatch(/does not tell speech from pauses/);
});

test("the reason names a codec that has no levels", () => {
	const fallbackWarning = (codec: "aac" | "opus" | "vorbis") =>
		judgeCoverage([], [chunk(null)], codec, 0.5).coverageNote;
	expect(fallbackWarning("aac")).toBe(
		"Coverage was not measured: undecoded, this aac audio does not tell speech from pauses.",
	);
	expect(fallbackWarning("opus")).toMatch(/this opus audio/);
	expect(fallbackWarning("vorbis")).toMatch(/this vorbis audio/);
});
