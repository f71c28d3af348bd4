import { expect, test } from "vitest";
import { isInert, mediaTypeOf } from "./media-types.ts";

test("a name implies the type of sound or film, or of any bytes", () => {
	expect(["a.MP3", "b.c.m4a", "talk.opus", "page.html", "noise", "x.svg", ""].map(mediaTypeOf)).toEqual([
		...["audio/mpeg", "audio/mp4", "audio/ogg"],
		...Array.from({ length: 4 }, () => "application/octet-stream"),
	]);
});

test.each([
	...["audio/wav", "video/mp4", "Audio/MPEG", "audio/ogg; codecs=opus", "application/ogg"],
	...["application/octet-stream", "binary/octet-stream", "text/plain; charset=utf-8"],
])("%s runs no scripts", (type) => {
	expect(isInert(type)).toBe(true);
});

test.each([
	...["text/html", "TEXT/HTML; charset=utf-8", "image/svg+xml", "application/xhtml+xml", "text/xml"],
	...[
		"audio/x+xml",
		"audio/x+xml ; a=b",
		"application/xml",
		"multipart/x-mixed-replace",
		"text/javascript",
		"",
	],
	...["audio/", "audio/wav/html"],
])("%s may", (type) => {
	expect(isInert(type)).toBe(false);
});
