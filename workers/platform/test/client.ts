import { env, exports } from "cloudflare:workers";
import type { ErrorBody } from "@parley/contracts/shared/error-bodies";
import { createOrganisation } from "@parley/testing/organisation";
import { assertDocumented } from "./documented.ts";

type Options = { key?: string | null; headers?: Record<string, string> };

export type Answer<T> = { status: number; headers: Headers; body: T };

/** A request to the platform worker; a body that is neither text nor a form is sent as JSON, an answer read as such when it is. */
export async function callPlatform<T = ErrorBody & Record<string, unknown>>(
	method: string,
	path: string,
	body?: unknown,
	{ key, headers }: Options = {},
): Promise<Answer<T>> {
	const response = await exports.default.fetch(
		new Request(`https://parley.example${path}`, {
			...{ method, redirect: "manual" },
			headers: { ...(key && { authorization: `Bearer ${key}` }), ...headers },
			...(body !== undefined && { body: toBody(body) }),
		}),
	);
	const isJson = response.headers.get("content-type")?.includes("json");
	const text = await response.text();
	const { status, headers: answered } = response;
	const answer = { status, headers: answered, body: (isJson ? JSON.parse(text) : text) as T };
	// What no test says of itself: no answer is one that the API's own document does not know.
	assertDocumented(method, path.split("?")[0] ?? "", answer);
	return answer;
}

/** Asks for an upgrade; the socket is null when it was refused. */
export async function openSocket(path: string, key: string | null, given: Record<string, string> = {}) {
	const headers = { upgrade: "websocket", ...(key && { authorization: `Bearer ${key}` }), ...given };
	const response = await exports.default.fetch(new Request(`https://parley.example${path}`, { headers }));
	return { response, socket: response.webSocket };
}

const toBody = (body: unknown): BodyInit =>
	typeof body === "string" || body instanceof FormData ? body : JSON.stringify(body);

/** An organisation with a key of every scope, and a way to call the worker with it or another key of it. */
export async function createClient(options: Parameters<typeof createOrganisation>[1] = {}) {
	const organisation = await createOrganisation(env.DB, options);
	const call: typeof callPlatform = (method, path, body, given = {}) =>
		callPlatform(method, path, body, { key: organisation.key, ...given });
	return { ...organisation, call };
}
