import { z } from "zod";
import { VaultName } from "./secrets.ts";

/** Headers that belong to the connection or to the body's framing; a configuration cannot set them. */
const RESERVED: ReadonlySet<string> = new Set(
	["connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate"].concat([
		"proxy-authorization",
		"proxy-connection",
		"te",
		"trailer",
		"transfer-encoding",
		"upgrade",
	]),
);

/** A header's name: an RFC 9110 token that the connection does not need for itself. */
export const HeaderName = z
	.string()
	.max(128)
	.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "Not a header name")
	.refine((name) => !RESERVED.has(name.toLowerCase()), "This header cannot be set")
	.meta({ id: "HeaderName", example: "X-Api-Key" });

export const HeaderValue = z
	.string()
	.max(4096)
	.regex(/^[\t\x20-\x7e\x80-\xff]*$/, "Not a header value: control characters or characters beyond Latin-1");

/** A header of a request that the service sends: its value, which may hold `{{$NAME}}`, or the secret that is its value. */
export const OutgoingHeader = z
	.union([
		z.strictObject({ name: HeaderName, value: HeaderValue }),
		z.strictObject({ name: HeaderName, secret_name: VaultName }),
	])
	.meta({ id: "OutgoingHeader" });
export type OutgoingHeader = z.infer<typeof OutgoingHeader>;

/** Headers of one request; a name is given once, whatever its case. */
export const OutgoingHeaders = z
	.array(OutgoingHeader)
	.max(64)
	.superRefine((headers, ctx) => {
		const seen = new Set<string>();
		for (const [index, { name }] of headers.entries()) {
			if (seen.has(name.toLowerCase()))
				ctx.addIssue({ code: "custom", path: [index, "name"], message: "Given more than once" });
			seen.add(name.toLowerCase());
		}
	});
