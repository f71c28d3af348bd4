import { toBase64 } from "@parley/bytes/base64";
import { expect, test } from "vitest";
import { joinPeaks } from "./join-peaks.ts";

const peaks = (value: number, count: number) => toBase64(new Uint8Array(count).fill(value));

test("peaks of chunks lie at their times, and the louder one counts where chunks overlap", () => {
	const joined = joinPeaks(
		[
			{ startSeconds: 0, peaks: [peaks(10, 30)] },
			{ startSeconds: 1, peaks: [peaks(20, 15)] },
			{ startSeconds: 2, peaks: [peaks(5, 99)] },
		],
		2.5,
	);
	expect(joined?.isSeparate).toBe(false);
	const [only = []] = joined?.channels ?? [];
	expect([...only]).toEqual([
		...Array(20).fill(10),
		...Array(15).fill(20),
		...Array(5).fill(0),
		...Array(10).fill(5),
	]);
});

test("a silent chunk is silent on every channel", () => {
	const joined = joinPeaks(
		[
			{ startSeconds: 0, peaks: [] },
			{ startSeconds: 1, peaks: [peaks(1, 20), peaks(2, 20)], channelSounds: ["a", "b"] },
		],
		2,
	);
	expect(joined?.isSeparate).toBe(true);
	expect(joined?.channels.map((channel) => [channel[19], channel[20]])).toEqual([
		[0, 1],
		[0, 2],
	]);
});

test("chunks that could not be measured give no peaks", () => {
	expect(joinPeaks([{ startSeconds: 0 }], 5)).toBeUndefined();
	expect(joinPeaks([{ startSeconds: 0, peaks: [] }], 1)?.channels).toEqual([new Uint8Array(20)]);
});
