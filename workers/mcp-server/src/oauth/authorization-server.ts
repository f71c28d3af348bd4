import { OAuthAuthorizationServer } from "@cloudflare/workers-oauth-provider";
import { ApiError } from "@parley/contracts/shared/api-error";
import { SCOPES, type Scope } from "@parley/contracts/shared/scopes";
import type { Database } from "@parley/db/client";
import { isLoopback } from "../protocol/loopback.ts";
import { createOAuthStore, type OAuthStore } from "./oauth-store.ts";

const ACCESS_TOKEN_SECONDS = 3_600;
/** A grant ends when its refresh token was not used for so long. */
const GRANT_IDLE_SECONDS = 30 * 24 * 3_600;
const MAX_REDIRECT_URIS = 10;
const MAX_METADATA_LENGTH = 2_000;

/** Scopes that no client gets. The management server offers no operation that needs them. */
const WITHHELD: readonly Scope[] = ["keys:manage", "vault:read", "vault:write"];
/** Scopes that a person can grant to a client of the management server. */
export const GRANTABLE_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !WITHHELD.includes(scope));

type Storage = { OAUTH_KV: OAuthStore };
type Context = { db: Database; clock: () => Date };

/** The authorization server of one request, with the storage that it reads and writes. */
export type AuthorizationServer = {
	fetch: (request: Request) => Promise<Response>;
	api: ReturnType<OAuthAuthorizationServer<Storage>["getOAuthApi"]>;
	store: OAuthStore;
};

/**
 * Creates the authorization server for one request.
 * @param origin origin of the deployment, which is the issuer
 * @param resources endpoints for which the request may get tokens, beside the management server
 * @throws ApiError FORBIDDEN on plain http beyond this machine
 */
export function createAuthorizationServer(
	ctx: Context,
	origin: string,
	resources: readonly string[] = [],
): AuthorizationServer {
	assertSecure(origin);
	const store = createOAuthStore(ctx);
	const env = { OAUTH_KV: store };
	const server = new OAuthAuthorizationServer<Storage>({
		issuer: origin,
		resources: [...new Set([`${origin}/v1/mcp`, ...resources])],
		authorizeEndpoint: `${origin}/oauth/authorize`,
		tokenEndpoint: `${origin}/oauth/token`,
		clientRegistrationEndpoint: `${origin}/oauth/register`,
		scopesSupported: [...GRANTABLE_SCOPES],
		accessTokenTTL: ACCESS_TOKEN_SECONDS,
		refreshTokenTTL: GRANT_IDLE_SECONDS,
		refreshTokenIdleTTL: GRANT_IDLE_SECONDS,
		clientRegistrationCallback: ({ clientMetadata }) => refuseLargeClient(clientMetadata),
		onError: () => {},
	});
	const unused = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext;
	return {
		fetch: (request) => server.fetch(request, env, unused),
		api: server.getOAuthApi(env),
		store,
	};
}

const AGENT_ENDPOINT = /^\/v1\/agents\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/mcp$/;

/** Resource that a token is bound to: the management server, or the endpoint of one agent. */
export type Resource = { url: string; agentId: string | undefined };

/** Returns the resource that a URL names on this deployment; undefined for any other URL. */
export function findResource(origin: string, url: string): Resource | undefined {
	if (url === `${origin}/v1/mcp`) return { url, agentId: undefined };
	const agentId = url.startsWith(origin) ? AGENT_ENDPOINT.exec(url.slice(origin.length))?.[1] : undefined;
	return agentId ? { url, agentId } : undefined;
}

/** Scopes that a token for a resource can have. */
export const scopesOfResource = ({ agentId }: Resource): readonly Scope[] =>
	agentId === undefined ? GRANTABLE_SCOPES : ["runtime:use"];

function assertSecure(origin: string): void {
	const { protocol, hostname } = new URL(origin);
	if (protocol === "https:" || isLoopback(hostname)) return;
	throw new ApiError("FORBIDDEN", "OAuth requires https. Use an API key, or open the deployment by https.");
}

function refuseLargeClient(metadata: Record<string, unknown>) {
	const { redirect_uris: redirectUris } = metadata;
	const hasLongText = [metadata, ...(Array.isArray(redirectUris) ? [redirectUris] : [])]
		.flatMap((values) => Object.values(values))
		.some((value) => typeof value === "string" && value.length > MAX_METADATA_LENGTH);
	const hasMany = Array.isArray(redirectUris) && redirectUris.length > MAX_REDIRECT_URIS;
	if (!hasLongText && !hasMany) return undefined;
	return {
		description: `At most ${MAX_REDIRECT_URIS} redirect_uris, and ${MAX_METADATA_LENGTH} characters in each text`,
	};
}
