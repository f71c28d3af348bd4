import { type Actor, boundAgent } from "@parley/context/actor";
import { withLease } from "@parley/context/lease";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Database } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { logFault, toErrorResponse } from "../errors.ts";
import type { Plane } from "../planes/plane.ts";
import type { RouteSpec } from "../route.ts";
import { type Claim, claimKey, keepAnswer, releaseKey, renewLease } from "./claim.ts";
import { type ClientKey, importClientKey } from "./client-key.ts";
import { packAnswer, unpackAnswer } from "./kept-answer.ts";

// A row of D1 holds two megabytes at most.
const MAX_KEPT_BYTES = 1_900_000;

type Context = {
	db: Database;
	clock: () => Date;
	requestId: string;
	actor: Actor;
};

export type KeyedRequest = { plane: Plane; spec: RouteSpec; request: Request; body: Uint8Array };

/**
 * Answers a request that carries an Idempotency-Key: the first of its key runs and its answer is kept for a day, a
 * repetition gets that answer again. Faults of ours and refusals that ask for another try are not kept.
 * @throws ApiError IDEMPOTENCY_KEY_REUSED for another request under the key; IDEMPOTENCY_IN_PROGRESS while the first runs;
 * the plane's code for invalid input when the key is none.
 */
export async function answerOnce(
	ctx: Context,
	keyed: KeyedRequest,
	run: () => Promise<Response>,
): Promise<Response> {
	const organisationId = ctx.actor.organisation.id;
	// What one agent's key or one session did is no answer for another.
	const holder = boundAgent(ctx.actor) === undefined ? "" : `\n${ctx.actor.id}`;
	const scope = `${organisationId}\n${keyed.spec.operationId}${holder}`;
	const key = await importClientKey(readKey(keyed), scope);
	const claim: Claim = {
		organisationId,
		id: await key.hash("route"),
		fingerprint: await fingerprintOf(key, keyed),
		owner: newId(),
	};
	const outcome = await claimKey(ctx, claim);
	switch (outcome.state) {
		case "reused":
			throw new ApiError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request");
		case "in_progress":
			throw new ApiError(
				"IDEMPOTENCY_IN_PROGRESS",
				"The first request with this Idempotency-Key still runs",
				{
					headers: { "retry-after": "1" },
				},
			);
		case "answered":
			return unpackAnswer(await key.open(outcome.answer));
		case "claimed":
			return execute(ctx, keyed, key, claim, run);
	}
}

async function execute(
	ctx: Context,
	keyed: KeyedRequest,
	key: ClientKey,
	claim: Claim,
	run: () => Promise<Response>,
): Promise<Response> {
	const log = (error: unknown) => logFault(keyed.plane, "IDEMPOTENCY_NOT_KEPT", error, ctx.requestId);
	const answerAndKeep = async () => {
		const response = await run().catch((error) => finalRefusal(ctx, keyed.plane, error));
		const answer = await key.seal(await packAnswer(await redact(keyed.spec, response)));
		const isKept = response.status < 500 && answer.byteLength <= MAX_KEPT_BYTES;
		// The work is done: a key that could not be kept must not turn its answer into a failure.
		await (isKept ? keepAnswer(ctx, claim, answer) : releaseKey(ctx, claim)).run().catch(log);
		return response;
	};
	try {
		return await withLease(() => renewLease(ctx, claim).run().catch(log), answerAndKeep);
	} catch (error) {
		await releaseKey(ctx, claim).run().catch(log);
		throw error;
	}
}

/** A refusal as its answer when a repetition would be refused alike; thrown on when another try may fare better. */
function finalRefusal(ctx: Context, plane: Plane, error: unknown): Response {
	const known = error instanceof ApiError ? error : undefined;
	const rule = known && plane.errors[known.code];
	if (!rule || (known.retryable ?? rule.retryable) || rule.status >= 500) throw error;
	return toErrorResponse(plane, error, ctx.requestId);
}

/** Returns the stored form of a response that shows a secret once: the response without it. */
async function redact({ idempotent }: RouteSpec, response: Response): Promise<Response> {
	if (typeof idempotent !== "object" || !response.ok) return response;
	return new Response(JSON.stringify(idempotent.redact(await response.clone().json())), response);
}

function readKey({ plane, request }: KeyedRequest): string {
	const key = request.headers.get("idempotency-key") ?? "";
	if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
	const message = "Must be 1 to 255 visible ASCII characters";
	const fields = [{ path: "header.Idempotency-Key", message }];
	throw new ApiError(plane.invalidCode, `Idempotency-Key: ${message}`, { fields });
}

function fingerprintOf(key: ClientKey, { request, body }: KeyedRequest): Promise<string> {
	const { pathname, search } = new URL(request.url);
	return key.hash(request.method, pathname, search, body);
}
