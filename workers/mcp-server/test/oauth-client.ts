import { env, exports } from "cloudflare:workers";
import { toBase64Url } from "@parley/bytes/base64";
import type { AuthorizationDecision } from "@parley/contracts/platform/oauth";
import type { Role } from "@parley/contracts/shared/roles";
import { createOrganisation } from "@parley/testing/organisation";
import { createPerson } from "@parley/testing/person";
import { send } from "./client.ts";

export const ORIGIN = "https://parley.example";
export const CALLBACK = "http://127.0.0.1:6274/callback";
export const MANAGEMENT = `${ORIGIN}/v1/mcp`;
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-dBjftJeZ4CVP";

export type Tokens = {
	access_token: string;
	refresh_token: string;
	token_type: string;
	expires_in: number;
	scope: string;
	resource: string;
	error?: string;
	error_description?: string;
};

/** Registers a public client, as MCP clients do. */
export async function register(metadata: object = {}) {
	const { status, body } = await send("/oauth/register", {
		...{ client_name: "Inspector", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
		...{ grant_types: ["authorization_code", "refresh_token"], response_types: ["code"] },
		...metadata,
	});
	return { status, body: body as unknown as { client_id: string; client_secret?: string; error?: string } };
}

export const challengeOf = async (verifier: string): Promise<string> =>
	toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));

/** Query of a request to the authorization endpoint. */
export async function requestOf(clientId: string, changes: Record<string, string | undefined> = {}) {
	const all = {
		...{ response_type: "code", client_id: clientId, redirect_uri: CALLBACK, state: "a state" },
		...{ code_challenge: await challengeOf(VERIFIER), code_challenge_method: "S256", resource: MANAGEMENT },
		...changes,
	};
	return new URLSearchParams(
		Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
	).toString();
}

/** Sends a form, as clients send it to the token endpoint. */
export async function post(form: Record<string, string>, headers: Record<string, string> = {}) {
	const response = await exports.default.fetch(
		new Request(`${ORIGIN}/oauth/token`, { method: "POST", headers, body: new URLSearchParams(form) }),
	);
	const text = await response.text();
	return {
		status: response.status,
		headers: response.headers,
		body: (text ? JSON.parse(text) : {}) as Tokens,
	};
}

export const redeem = (clientId: string, code: string, changes: Record<string, string> = {}) =>
	post({
		...{ grant_type: "authorization_code", client_id: clientId, code, redirect_uri: CALLBACK },
		...{ code_verifier: VERIFIER, ...changes },
	});

/** A person of an organisation of their own, with what a browser of theirs does on the consent page. */
export async function openConsent(role: Role = "owner") {
	const organisation = await createOrganisation(env.DB);
	return { organisation, ...(await visitConsent(organisation.id, role)) };
}

/** A person of an organisation, with what a browser of theirs does on the consent page. */
export async function visitConsent(organisationId: string, role: Role = "owner") {
	const person = await createPerson(env.DB, organisationId, role);
	const describe = (query: string) =>
		send(
			`/v1/oauth/authorization?${new URLSearchParams({ request: query })}`,
			undefined,
			person.headers,
			"GET",
		);
	const decide = (query: string, decision: "approve" | "deny" = "approve") =>
		send("/v1/oauth/authorization", { request: query, decision }, person.headers);
	/** Approves a request and returns the code that the client gets. */
	const approve = async (query: string): Promise<string> => {
		const { body } = await decide(query);
		const { redirect_to } = body as unknown as AuthorizationDecision;
		return new URL(redirect_to).searchParams.get("code") ?? "";
	};
	return { person, describe, decide, approve };
}

/** A client that a person gave access to an endpoint. */
export async function authorize(resource = MANAGEMENT, role: Role = "owner", scope?: string) {
	const consent = await openConsent(role);
	const { body: client } = await register();
	const code = await consent.approve(await requestOf(client.client_id, { resource, scope }));
	const { body: tokens } = await redeem(client.client_id, code);
	return { ...consent, clientId: client.client_id, code, tokens };
}
