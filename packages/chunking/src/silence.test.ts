import { bytesSource } from "@parley/audio-files/audio-source";
import { fixture } from "@parley/audio-files/recordings.fixture";
import { splitHallucinations } from "@parley/transcripts/hallucinations";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkFile } from "./chunk-file.fixture.ts";

/** Inserts three seconds of digital silence into speech at 3.6 s, in a pause. */
function withSilence(gain: number): Uint8Array<ArrayBuffer> {
	const given = fixture("speech.wav");
	const at = 44 + 3.6 * 8000 * 2;
	const bytes = new Uint8Array(given.length + 3 * 8000 * 2);
	bytes.set(given.subarray(0, at));
	bytes.set(given.subarray(at), at + 3 * 8000 * 2);
	const view = new DataView(bytes.buffer);
	view.setUint32(4, bytes.length - 8, true);
	view.setUint32(40, bytes.length - 44, true);
	for (let place = 44; place < bytes.length; place += 2) {
		view.setInt16(place, Math.round(view.getInt16(place, true) * gain), true);
	}
	return bytes;
}

describe("splitHallucinations with real speech", () => {
	const [speechEnd, speechStart] = [3.3, 6.9];
	test.each([1, 0.1, 0.02, 0.005])(
		"no word near the speech counts as hallucinated at a gain of %d",
		async (gain) => {
			const { slices } = await chunkFile(bytesSource(withSilence(gain)), {});
			const { silent } = slices[0]?.voice ?? { silent: [] };
			fc.assert(
				fc.property(
					// An engine may place words up to 0.3 s off.
					fc.double({ min: 0, max: 15, noNaN: true }),
					fc.double({ min: 0.05, max: 1, noNaN: true }),
					fc.double({ min: -0.3, max: 0.3, noNaN: true }),
					(start, seconds, off) => {
						const touches = start < speechEnd || start + seconds > speechStart;
						const words = [{ start: start + off, end: start + seconds + off }];
						if (touches) expect(splitHallucinations(words, silent).hallucinated).toEqual([]);
					},
				),
			);
		},
	);

	test("words in the inserted silence count as hallucinated", async () => {
		const { slices } = await chunkFile(bytesSource(withSilence(1)), {});
		const words = [
			{ word: "speech", start: 1, end: 1.4 },
			{ word: "Thanks", start: 4.6, end: 5 },
			{ word: "for", start: 5, end: 5.2 },
			{ word: "watching", start: 5.2, end: 5.8 },
			{ word: "speech", start: 8, end: 8.4 },
		];
		const { kept, hallucinated } = splitHallucinations(words, slices[0]?.voice.silent ?? []);
		expect(kept.map(({ word }) => word)).toEqual(["speech", "speech"]);
		expect(hallucinated).toHaveLength(3);
	});
});
