import { expect, test } from "vitest";
import { channelWarnings } from "./channel-warnings.ts";

const chunks = (...sounds: string[][]) => sounds.map((channelSounds) => ({ channelSounds }));

test("channels are the same only when they are so from start to end, and not for being silent", () => {
	expect(channelWarnings(chunks(["a", "a"], ["b", "b"]), 2)).toEqual([
		"Channels 1 and 2 hold the same sound.",
	]);
	expect(channelWarnings(chunks(["a", "a"], ["b", "c"]), 2)).toEqual([]);
	expect(channelWarnings(chunks(["", ""], ["", ""]), 2)).toEqual([]);
	expect(channelWarnings(chunks(["a", "b", "a", "b"]), 4)).toEqual([
		"Channels 1 and 3 hold the same sound.",
		"Channels 2 and 4 hold the same sound.",
	]);
});

test("a part without any sound says nothing of the channels", () => {
	expect(channelWarnings([{}, ...chunks(["a", "a"])], 2)).toHaveLength(1);
});

test("labels are held against the channels of the file where the engine told them apart", () => {
	expect(channelWarnings([{}], 2, ["agent", "caller"])).toEqual([]);
	expect(channelWarnings([{}], 2, ["agent", "caller", "third"])).toEqual([
		"3 channel labels were given, but the audio has 2 channels.",
	]);
});
