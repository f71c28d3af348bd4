import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { outgoingUrl } from "../outgoing-url.ts";

const onLaptop = { EGRESS_ALLOW_LOOPBACK: "true", EGRESS_OWN_PORTS: "8787" };
const check = (url: string) => outgoingUrl({ env: { ...env, ...onLaptop } }, "input_url", url);

test.each(["https://files.example/a.wav", "http://127.0.0.1:9000/a.wav", "https://localhost:9000/a.wav"])(
	"%s is accepted where loopback is let through",
	(url) => {
		expect(check(url)).toBe(url);
	},
);

test.each([
	["http://files.example/a.wav", "input_url: Must be an https:// URL"],
	["http://10.0.0.1/a.wav", "input_url: The address is not a public one"],
	["http://localhost:8787/v1/me", "input_url: The address is the deployment's own"],
	["http://127.0.0.1:9000/cdn-cgi/local/explorer", /^input_url: Paths below \/cdn-cgi\//],
	["https://files.example/%63dn-cgi/trace", /^input_url: Paths below \/cdn-cgi\//],
])("%s is refused there", (url, message) => {
	expect(() => check(url)).toThrow(expect.objectContaining({ code: "INVALID_REQUEST" }));
	expect(() => check(url)).toThrow(message);
});
