import type { Actor } from "@parley/context/actor";
import { hasRuntimePrefix } from "./api-key.ts";
import { type AuthContext, authenticateKey } from "./authenticate-key.ts";
import { authenticateRuntimeSession } from "./authenticate-runtime-session.ts";
import { authenticateSession } from "./authenticate-session.ts";
import { batchKey, bearerKey } from "./credentials.ts";
import { sessionCredential } from "./session-cookie.ts";

/** OpenAPI's description of how a credential travels. */
type SecurityScheme =
	| { type: "http"; scheme: string; description: string }
	| { type: "apiKey"; in: "header" | "cookie"; name: string; description: string };

/** One kind of credential: where a request carries it, and whom it stands for. A plane lists those that it accepts. */
export type Authenticator = {
	/** OpenAPI security schemes by name. */
	schemes: Readonly<Record<string, SecurityScheme>>;
	/** Returns the credential in a request; undefined when it carries none of this kind. @throws ApiError FORBIDDEN */
	read: (request: Request) => string | undefined;
	/** Returns the actor that a credential stands for. @throws ApiError AUTH_REQUIRED, SESSION_EXPIRED */
	resolve: (ctx: AuthContext, credential: string, request: Request) => Promise<Actor>;
};

const bearer: SecurityScheme = {
	type: "http",
	scheme: "bearer",
	description: "An API key: `Authorization: Bearer <key>`.",
};
const header: SecurityScheme = {
	type: "apiKey",
	in: "header",
	name: "X-API-Key",
	description: "An API key, equivalent to the bearer header.",
};

/** Resolves a session token by its prefix, and any other text as a key. */
const authenticateToken: Authenticator["resolve"] = (ctx, token) =>
	hasRuntimePrefix(token) ? authenticateRuntimeSession(ctx, token) : authenticateKey(ctx, token);

/** An API key, or the token of a runtime session, in `Authorization: Bearer <key>`. */
export const bearerApiKey: Authenticator = {
	schemes: { bearer },
	read: ({ headers }) => bearerKey(headers),
	resolve: authenticateToken,
};

/** An API key in the bearer header or in `X-API-Key`, as the batch API takes it. */
export const batchApiKey: Authenticator = {
	schemes: { bearer, "x-api-key": header },
	read: ({ headers }) => batchKey(headers),
	resolve: authenticateToken,
};

/** A console session in the cookie of a browser. */
export const consoleSession: Authenticator = {
	schemes: {
		session: {
			type: "apiKey",
			in: "cookie",
			name: "__Host-parley",
			description:
				"A console session, in the cookie that `POST /v1/console/session` sets (`parley` on http://127.0.0.1). Each request also needs the header `X-Parley-Console: 1`, and each unsafe one an `Origin` of our own. An API key in the same request counts instead.",
		},
	},
	read: sessionCredential,
	resolve: authenticateSession,
};
