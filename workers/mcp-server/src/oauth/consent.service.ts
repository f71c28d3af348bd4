import {
	AuthorizationError,
	type AuthRequest,
	authorizationErrorRedirect,
} from "@cloudflare/workers-oauth-provider";
import type { SessionActor } from "@parley/context/actor";
import type {
	AuthorizationDecision,
	AuthorizationRequest,
	DecideAuthorization,
	OAuthGrant,
} from "@parley/contracts/platform/oauth";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import type { Scope } from "@parley/contracts/shared/scopes";
import { agents } from "@parley/db/agents/agents";
import { auditLog } from "@parley/db/agents/audit-log";
import { newId } from "@parley/db/id";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import {
	type AuthorizationServer,
	createAuthorizationServer,
	findResource,
	type Resource,
	scopesOfResource,
} from "./authorization-server.ts";
import { toSubject } from "./subject.ts";

/** Details of a grant for lists. */
type GrantMetadata = { client_name: string; redirect_host: string };

/**
 * Returns what an application asks the signed-in person for.
 * @throws ApiError VALIDATION_FAILED for a request that no client may send, FORBIDDEN for a role that lacks the scopes,
 * RESOURCE_NOT_FOUND for an agent of another organisation
 */
export async function describeAuthorization(
	ctx: Ctx,
	origin: string,
	query: string,
): Promise<AuthorizationRequest> {
	return (await readAuthorization(ctx, origin, query)).description;
}

/**
 * Approves or denies what an application asks for.
 * @returns the address of the client, with a code or an error
 * @throws ApiError as `describeAuthorization` does
 */
export async function decideAuthorization(
	ctx: Ctx,
	origin: string,
	{ request: query, decision }: DecideAuthorization,
): Promise<AuthorizationDecision> {
	const { server, request, description } = await readAuthorization(ctx, origin, query);
	if (decision === "deny") return { redirect_to: authorizationErrorRedirect(request, "access_denied") };
	const metadata: GrantMetadata = {
		client_name: description.client.name,
		redirect_host: description.redirect_host,
	};
	const { redirectTo } = await server.api.completeAuthorization({
		...{ request, metadata, props: {} },
		userId: subjectOf(ctx),
		scope: description.scopes,
	});
	const grantId = new URL(redirectTo).searchParams.get("code")?.split(":")[1] ?? "";
	await recordChange(
		ctx,
		"oauth_grant.create",
		{ id: grantId, name: metadata.client_name },
		{
			...{ client_id: request.clientId, resource: description.resource.url, scopes: description.scopes },
		},
	);
	return { redirect_to: redirectTo };
}

/** Returns the access that the signed-in person gave to applications, the latest first. */
export async function listGrants(ctx: Ctx, origin: string): Promise<OAuthGrant[]> {
	const { items } = await createAuthorizationServer(ctx, origin).api.listUserGrants(subjectOf(ctx));
	const resources = items.map(({ resource }) => findResource(origin, String(resource)));
	const names = await readAgentNames(ctx, resources);
	return items
		.map((grant, at): OAuthGrant => {
			const { client_name: name, redirect_host } = grant.metadata as GrantMetadata;
			return {
				...{ id: grant.id, client: { id: grant.clientId, name }, redirect_host },
				resource: toResource(resources[at], String(grant.resource), names),
				scopes: grant.scope as Scope[],
				created_at: toTimestamp(grant.createdAt),
				expires_at: grant.expiresAt === undefined ? null : toTimestamp(grant.expiresAt),
			};
		})
		.sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/** Revokes the access of an application, with all of its tokens. @throws ApiError RESOURCE_NOT_FOUND */
export async function revokeGrant(ctx: Ctx, origin: string, grantId: string): Promise<void> {
	const { api, store } = createAuthorizationServer(ctx, origin);
	const subject = subjectOf(ctx);
	const found = (await store.get(`grant:${subject}:${grantId}`, { type: "json" })) as {
		metadata: GrantMetadata;
	} | null;
	if (!found) throw notFound("Grant", grantId);
	await api.revokeGrant(grantId, subject);
	await recordChange(ctx, "oauth_grant.delete", { id: grantId, name: found.metadata.client_name }, {});
}

type Asked = { server: AuthorizationServer; request: AuthRequest; description: AuthorizationRequest };

async function readAuthorization(ctx: Ctx, origin: string, query: string): Promise<Asked> {
	const parameters = new URLSearchParams(query);
	const resource = findResource(origin, parameters.get("resource") ?? "");
	const server = createAuthorizationServer(ctx, origin, resource ? [resource.url] : []);
	const request = await parseAuthorization(server, origin, query).catch((error) => {
		throw error instanceof AuthorizationError ? invalidRequest(error.description) : error;
	});
	if (!resource) throw invalidRequest("resource must name an MCP endpoint of this deployment");
	const { clientId, clientName, redirectHost, redirectIsLoopback } =
		await server.api.describeConsent(request);
	const names = await readAgentNames(ctx, [resource]);
	if (resource.agentId !== undefined && !names.has(resource.agentId))
		throw notFound("Agent", resource.agentId);
	const scopes = chooseScopes(ctx, resource, request.scope);
	return {
		...{ server, request },
		description: {
			client: { id: clientId, name: clientName.slice(0, 200) },
			...{ redirect_host: redirectHost, redirect_is_local: redirectIsLoopback },
			resource: toResource(resource, resource.url, names),
			scopes,
		},
	};
}

/**
 * Reads a request of a client to the authorization endpoint.
 * @throws AuthorizationError; it holds an address for the refusal if the client may learn of it
 */
export async function parseAuthorization(
	server: AuthorizationServer,
	origin: string,
	query: string,
): Promise<AuthRequest> {
	const request = await server.api.parseAuthRequest(new Request(`${origin}/oauth/authorize?${query}`));
	const { redirectUri, state, issuer } = request;
	const refuse = (code: "invalid_request" | "invalid_target", description: string) =>
		new AuthorizationError(code, { description, redirectUri, state, ...(issuer && { issuer }) });
	// The library would take the management server for a missing resource, and confidential clients without PKCE.
	if (!new URLSearchParams(query).has("resource"))
		throw refuse("invalid_target", "resource is required: the address of the MCP endpoint");
	if (request.codeChallenge === undefined)
		throw refuse("invalid_request", "code_challenge is required (PKCE, S256)");
	return request;
}

/** Returns the refusal of a request that no client may send. */
export const invalidRequest = (message: string): ApiError =>
	new ApiError("VALIDATION_FAILED", `The application's request is invalid: ${message}`, {
		fields: [{ path: "request", message }],
	});

/**
 * Returns what the client gets: the scopes that it asks for, or all of them, as far as the person has them.
 * @throws ApiError FORBIDDEN when nothing is left
 */
function chooseScopes({ actor }: Ctx, resource: Resource, asked: string[]): Scope[] {
	const possible = scopesOfResource(resource);
	const known = possible.filter((scope) => asked.includes(scope));
	const scopes = (known.length > 0 ? known : possible).filter((scope) => actor.scopes.has(scope));
	if (scopes.length > 0) return [...scopes];
	throw new ApiError("FORBIDDEN", `Your role lacks ${(known.length > 0 ? known : possible).join(", ")}`);
}

/** Returns the names of agents of the organisation by id. */
async function readAgentNames({ db, actor }: Ctx, resources: (Resource | undefined)[]) {
	const ids = resources.flatMap((resource) => resource?.agentId ?? []);
	if (ids.length === 0) return new Map<string, string>();
	const rows = await db
		.select({ id: agents.id, name: agents.name })
		.from(agents)
		.where(
			and(
				eq(agents.organisationId, actor.organisation.id),
				inArray(agents.id, [...new Set(ids)].slice(0, 50)),
				isNull(agents.deletedAt),
			),
		);
	return new Map(rows.map(({ id, name }) => [id, name]));
}

function toResource(resource: Resource | undefined, url: string, names: Map<string, string>) {
	const id = resource?.agentId;
	return { url, agent: id === undefined ? null : { id, name: names.get(id) ?? null } };
}

const toTimestamp = (seconds: number): string => new Date(seconds * 1000).toISOString();

function subjectOf({ actor }: Ctx): string {
	return toSubject({ organisationId: actor.organisation.id, userId: personOf(actor).userId });
}

/** @throws ApiError FORBIDDEN for a caller who is not a person in a browser */
function personOf(actor: Ctx["actor"]): SessionActor & { userId: string } {
	if (actor.type === "session" && actor.userId !== null) return { ...actor, userId: actor.userId };
	throw new ApiError(
		"FORBIDDEN",
		"Only a person who is signed in to the console can give access to an application",
	);
}

async function recordChange(
	{ db, actor, clock, requestId }: Ctx,
	action: string,
	{ id, name }: { id: string; name: string },
	details: Record<string, unknown>,
): Promise<void> {
	await db.insert(auditLog).values({
		...{ id: newId(), organisationId: actor.organisation.id, actor: actor.id, action, details, requestId },
		...{ resourceType: "oauth_grant", resourceId: id, resourceName: name },
		createdAt: clock().toISOString(),
	});
}
