import { env, exports } from "cloudflare:workers";
import type { Actor } from "@parley/context/actor";
import type { ErrorBody } from "@parley/contracts/shared/error-bodies";
import { SCOPES } from "@parley/contracts/shared/scopes";
import { type Database, openDatabase } from "@parley/db/client";
import type { Features } from "@parley/db/platform/organisations";
import { createOrganisation } from "@parley/testing/organisation";
import type { Ctx } from "../src/context.ts";
import { assertDocumented } from "./documented.ts";

/** Answer of the worker. Its body is typed as both a result and an error, and the test asserts which one it is. */
export type Answer<T> = { status: number; headers: Headers; body: T & ErrorBody };
export type Client = Awaited<ReturnType<typeof createClient>>;

/** Creates an organisation for one test. Returns functions that call the worker with its key, and a service context. */
export async function createClient(features: Features = {}) {
	const organisation = await createOrganisation(env.DB, { features });
	const call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
		request<T>(organisation.key, method, path, body, headers);
	return { ...organisation, call, ctx: (db?: Database) => contextOf(organisation.id, features, db) };
}

/** Sends a request to the worker under test. The body is sent as JSON, a string unchanged. */
export async function request<T>(
	key: string | undefined,
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = {},
): Promise<Answer<T>> {
	const response = await exports.default.fetch(
		new Request(`https://agents.parley.example${path}`, {
			method,
			headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		}),
	);
	const text = await response.text();
	const { status, headers: answered } = response;
	const answer = { status, headers: answered, body: text === "" ? undefined : JSON.parse(text) };
	// Every answer of every test must match the OpenAPI document.
	assertDocumented(method, path.split("?")[0] ?? "", answer);
	return answer;
}

/** Returns the text of a body without an id, to compare the answers for a foreign and an unknown resource. */
export const withoutId = (body: unknown, id: string): string => JSON.stringify(body).replaceAll(id, "the id");

function contextOf(organisationId: string, features: Features, db = openDatabase(env.DB)): Ctx {
	const actor: Actor = {
		...{
			type: "api_key",
			id: "api_key:test",
			keyId: "test",
			family: "consumer",
			label: "test",
			expiresAt: null,
		},
		scopes: new Set(SCOPES),
		organisation: { id: organisationId, name: "test", tier: "standard", features },
	};
	return { env, db, actor, clock: () => new Date(), defer: () => {}, requestId: "test" } as Ctx;
}
