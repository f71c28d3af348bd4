import { expect, test } from "vitest";
import { readSnippet } from "./response-snippet.ts";

const SECRET = "s3cr3t-Value-0123456789";
const basic = `Basic ${Buffer.from(`hooks:${SECRET}`).toString("base64")}`;

test.each([
	["a bearer token", `Bearer ${SECRET}`, `no ${SECRET}`, "no [redacted]"],
	["what Basic credentials say", basic, `bad login hooks:${SECRET}`, "bad login [redacted]"],
	["the password of Basic credentials", basic, `bad password ${SECRET}`, "bad password [redacted]"],
	["the value of a cookie", `session=${SECRET}; theme=dark`, `no session ${SECRET}`, "no session [redacted]"],
	["a part in quotes", `Token token="${SECRET}", v=1`, `unknown: ${SECRET}`, "unknown: [redacted]"],
	["a value without parts", SECRET, JSON.stringify({ sent: SECRET }), '{"sent":"[redacted]"}'],
])("%s that a host sends back is not shown", async (_, value, answer, shown) => {
	expect(await readSnippet(new Response(answer), [value])).toBe(shown);
});
