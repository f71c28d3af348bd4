import { expect, test } from "vitest";
import { isTheRest, type Source } from "./range-resume.ts";

const DATE = "Sat, 01 Nov 2025 10:00:00 GMT";
const tagged: Source = { totalBytes: 100, validator: '"v1"', contentType: "audio/wav" };
const dated: Source = { ...tagged, validator: DATE };
const rest = { "content-range": "bytes 40-99/100", "content-length": "60" };

test.each<[string, boolean, Source, Record<string, string>]>([
	["of the same version is taken", true, tagged, { etag: '"v1"' }],
	["of another version is not", false, tagged, { etag: '"v2"' }],
	["of a version that the host does not name is not", false, tagged, {}],
	["of the same date is taken", true, dated, { "last-modified": DATE }],
	["without a date is taken where a date was asked for", true, dated, {}],
	["of another date is not", false, dated, { "last-modified": "Sun, 02 Nov 2025 10:00:00 GMT" }],
	[
		"in an envelope is not",
		false,
		tagged,
		{ etag: '"v1"', "content-type": "multipart/byteranges; boundary=b" },
	],
	["from another byte is not", false, tagged, { etag: '"v1"', "content-range": "bytes 39-98/100" }],
	["of a file of another length is not", false, tagged, { etag: '"v1"', "content-range": "bytes 40-99/101" }],
])("a rest %s", (_, isTaken, source, headers) => {
	const response = new Response(null, { status: 206, headers: { ...rest, ...headers } });
	expect(isTheRest(response, source, 40)).toBe(isTaken);
});
