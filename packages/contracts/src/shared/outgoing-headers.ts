import { z } from "zod";
import { VaultName } from "../agents/secrets.ts";

/** Headers of the connection and of the body's framing, which a configuration cannot set. */
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

/** Name of a header: an RFC 9110 token other than the connection's own headers. */
export const HeaderName = z
	.string()
	.max(128)
	.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "Not a header name")
	.refine((name) => !RESERVED.has(name.toLowerCase()), "This header cannot be set")
	.meta({
		id: "HeaderName",
		description: "Header name (RFC 9110), at most 128 characters. Headers of the connection are refused.",
		example: "X-Api-Key",
	});

export const HeaderValue = z
	.string()
	.max(4096)
	.regex(/^[\t\x20-\x7e\x80-\xff]*$/, "Not a header value: control characters or characters beyond Latin-1")
	.meta({ description: "Value of the header, at most 4096 characters. May contain {{$NAME}}." });

/** Header of a request that the service sends: a literal value, which may contain `{{$NAME}}`, or the vault secret that is its value. */
export const OutgoingHeader = z
	.union([
		z.strictObject({ name: HeaderName, value: HeaderValue }),
		z.strictObject({
			name: HeaderName,
			secret_name: VaultName.meta({ description: "Name of the vault secret that is the value" }),
		}),
	])
	.meta({ id: "OutgoingHeader", description: "A literal header, or one whose value is a vault secret" });
export type OutgoingHeader = z.infer<typeof OutgoingHeader>;

/** Headers of one request. Names are unique regardless of case. */
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
	})
	.meta({ description: "Headers to send, at most 64. Names are unique regardless of case. Default []." });
