import { cookieAttributes, isPlainLoopback, readCookie } from "@parley/auth/session-cookie";
import { fromCanonicalBase64Url, toBase64Url } from "@parley/bytes/base64";
import { z } from "zod";

/** What the browser keeps while a person is at the identity provider. The answer must fit it. */
const Flow = z.strictObject({
	state: z.string(),
	nonce: z.string(),
	verifier: z.string(),
	to: z.string(),
	organisationId: z.string().optional(),
});
export type Flow = z.infer<typeof Flow>;

const MAX_AGE_SECONDS = 600;

const nameOf = (url: URL): string => (isPlainLoopback(url) ? "parley-oidc" : "__Host-parley-oidc");

/** Returns the `Set-Cookie` value that binds a sign-in to the browser that began it. */
export function flowCookie(url: URL, flow: Flow): string {
	const value = toBase64Url(new TextEncoder().encode(JSON.stringify(flow)));
	return `${nameOf(url)}=${value}; Max-Age=${MAX_AGE_SECONDS}; ${cookieAttributes(url)}`;
}

/** Returns the `Set-Cookie` value that forgets the sign-in: its answer counts once. */
export const clearedFlowCookie = (url: URL): string => `${nameOf(url)}=; Max-Age=0; ${cookieAttributes(url)}`;

/** Returns the sign-in that a browser began; undefined when it began none. */
export function readFlowCookie(request: Request): Flow | undefined {
	const value = readCookie(request, nameOf(new URL(request.url)));
	if (!value) return undefined;
	try {
		return Flow.parse(JSON.parse(new TextDecoder().decode(fromCanonicalBase64Url(value))));
	} catch {
		return undefined;
	}
}
