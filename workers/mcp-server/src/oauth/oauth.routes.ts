import { AuthorizationError } from "@cloudflare/workers-oauth-provider";
import { toBase64Url } from "@parley/bytes/base64";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { limitAddress } from "@parley/http/rate-limit/rate-limit";
import { createBodyReader } from "@parley/http/request/body-reader";
import { requestContext } from "@parley/http/request-context";
import type { HonoContext } from "../context.ts";
import { plane } from "../context.ts";
import { isLoopback } from "../protocol/loopback.ts";
import { type AuthorizationServer, createAuthorizationServer, findResource } from "./authorization-server.ts";
import { invalidRequest, parseAuthorization } from "./consent.service.ts";
import { GrantChanged } from "./oauth-store.ts";

/** Anybody may register a client, and its registration is stored. */
const MAX_BODY_BYTES = 8 * 1024;
const MAX_QUERY_LENGTH = 8_000;
/** A request that meets another one on the same grant is repeated so often. */
const ATTEMPTS = 4;
const METADATA_SECONDS = 300;
const WELL_KNOWN_RESOURCE = "/.well-known/oauth-protected-resource";

/** Answers metadata, registration, token and revocation requests: RFC 8414, 7591, 6749 and 7009. */
export async function serveOAuth(c: HonoContext): Promise<Response> {
	const ctx = admitAnybody(c);
	const { raw } = c.req;
	const body = raw.body ? await createBodyReader(plane, raw).bytes(MAX_BODY_BYTES) : undefined;
	for (let attempt = 1; ; attempt++) {
		const resources = await readResources(createServer(c), new URL(raw.url).origin, body);
		const server = createAuthorizationServer(ctx, new URL(raw.url).origin, resources);
		const { method, headers } = raw;
		try {
			const response = await server.fetch(new Request(raw.url, { method, headers, ...(body && { body }) }));
			// The headers of the library's answer may be immutable.
			return new Response(response.body, response);
		} catch (error) {
			if (!(error instanceof GrantChanged) || attempt === ATTEMPTS) throw error;
		}
	}
}

/**
 * Sends a person's browser to the consent page of the console. An error goes back to a client on the person's own computer, and
 * to one that asks without a browser. The consent page shows any other.
 */
export async function startAuthorization(c: HonoContext): Promise<Response> {
	admitAnybody(c);
	const { origin, search } = new URL(c.req.url);
	const query = search.slice(1);
	if (query.length > MAX_QUERY_LENGTH)
		throw new ApiError("VALIDATION_FAILED", `The query is longer than ${MAX_QUERY_LENGTH} characters.`);
	const resource = findResource(origin, new URLSearchParams(query).get("resource") ?? "");
	const server = createServer(c, resource ? [resource.url] : []);
	try {
		await parseAuthorization(server, origin, query);
	} catch (error) {
		if (!(error instanceof AuthorizationError)) throw error;
		const isBrowser = c.req.header("accept")?.includes("text/html") === true;
		const { redirectTo } = error;
		// Anybody may register an address. A link to us must not lead a browser there unasked (RFC 9700, section 4.11.2).
		if (redirectTo && (!isBrowser || isLoopback(new URL(redirectTo).hostname)))
			return c.redirect(redirectTo, 302);
		if (!isBrowser) throw invalidRequest(error.description);
	}
	return c.redirect(`/connect?request=r.${toBase64Url(new TextEncoder().encode(query))}`, 302);
}

/** Returns the metadata of one MCP endpoint (RFC 9728). Without a path it is the management server's. */
export function describeResource(c: HonoContext): Response {
	admitAnybody(c);
	const { origin, pathname } = new URL(c.req.url);
	const path = pathname.slice(WELL_KNOWN_RESOURCE.length) || "/v1/mcp";
	const resource = findResource(origin, origin + path);
	if (!resource) throw notFound("MCP endpoint", path.slice(0, 200));
	const metadata = {
		resource: resource.url,
		authorization_servers: [origin],
		bearer_methods_supported: ["header"],
		resource_name: resource.agentId === undefined ? "Parley management" : "Parley agent",
	};
	return c.json(metadata, 200, {
		"cache-control": `public, max-age=${METADATA_SECONDS}`,
		"access-control-allow-origin": "*",
	});
}

/** Counts a request without a credential against its address. @throws ApiError RATE_LIMITED */
function admitAnybody(c: HonoContext) {
	const ctx = requestContext(c);
	limitAddress({ ...ctx, report: (state) => c.set("rateState", state) }, c.req.raw.headers);
	return ctx;
}

const createServer = (c: HonoContext, resources: string[] = []): AuthorizationServer =>
	createAuthorizationServer(requestContext(c), new URL(c.req.url).origin, resources);

/** Returns the endpoints that a token request is about: the one that it names, and the one of its grant. */
async function readResources({ store }: AuthorizationServer, origin: string, body: Uint8Array | undefined) {
	if (!body) return [];
	const form = new URLSearchParams(new TextDecoder().decode(body));
	const [subject, grantId] = (form.get("code") ?? form.get("refresh_token") ?? "").split(":");
	const grant = (await store.get(`grant:${subject}:${grantId}`, { type: "json" })) as {
		resource?: string;
	} | null;
	return [grant?.resource, form.get("resource")].flatMap((url) => findResource(origin, url ?? "")?.url ?? []);
}
