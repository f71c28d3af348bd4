import { ApiError } from "@parley/contracts/shared/api-error";

/** Time after which a cookie goes, whether or not its session was used: seven days. */
export const SESSION_MAX_AGE_SECONDS = 7 * 24 * 60 * 60;
/** Header that every API call with a cookie carries. Scripts of other origins cannot send it. */
export const CONSOLE_HEADER = "x-parley-console";

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])$/;
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** Returns a new session token: 256 random bits in base64url. */
export function createSessionToken(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	return btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replace(/=+$/, "");
}

/** Returns the session token in a request's cookie; an empty string when the cookie holds something else. */
export function readSessionCookie(request: Request): string | undefined {
	const value = readCookie(request, cookieName(new URL(request.url)));
	return value === undefined || TOKEN.test(value) ? value : "";
}

/** Returns the value of a request's cookie; undefined when there is none of that name. */
export function readCookie(request: Request, name: string): string | undefined {
	for (const pair of (request.headers.get("cookie") ?? "").split(";")) {
		const at = pair.indexOf("=");
		if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
	}
	return undefined;
}

/** Returns the `Set-Cookie` value that gives a browser its session. */
export const sessionCookie = (url: URL, token: string): string =>
	`${cookieName(url)}=${token}; Max-Age=${SESSION_MAX_AGE_SECONDS}; ${cookieAttributes(url)}`;

/** Returns the `Set-Cookie` value that takes the session from a browser. */
export const clearedSessionCookie = (url: URL): string =>
	`${cookieName(url)}=; Max-Age=0; ${cookieAttributes(url)}`;

/** Whether a page is served over plain http on loopback, where Safari refuses secure cookies and `__Host-` names. */
export const isPlainLoopback = ({ protocol, hostname }: URL): boolean =>
	protocol === "http:" && LOOPBACK.test(hostname);
const cookieName = (url: URL): string => (isPlainLoopback(url) ? "parley" : "__Host-parley");
/** Returns the attributes of every cookie of the console. */
export const cookieAttributes = (url: URL): string =>
	`Path=/; HttpOnly; SameSite=Lax${isPlainLoopback(url) ? "" : "; Secure"}`;

/**
 * Returns the session token of an API call that proves to come from our own pages: it has the console's header, or upgrades
 * to a WebSocket, to which a browser adds no headers. Any other cookie counts as no credential.
 * @throws ApiError FORBIDDEN when an unsafe method or an upgrade comes from another origin.
 */
export function sessionCredential(request: Request): string | undefined {
	const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket";
	if (!isUpgrade && request.headers.get(CONSOLE_HEADER) !== "1") return undefined;
	const token = readSessionCookie(request);
	if (token === undefined) return undefined;
	if (isUpgrade || !SAFE_METHODS.includes(request.method)) assertOwnOrigin(request, { required: true });
	return token;
}

/** @throws ApiError FORBIDDEN when a request comes from another origin or, if `required`, from none. */
export function assertOwnOrigin(request: Request, { required }: { required: boolean }): void {
	const origin = request.headers.get("origin");
	if (origin === null ? !required : origin === new URL(request.url).origin) return;
	throw new ApiError("FORBIDDEN", "The request does not come from a page of this origin");
}
