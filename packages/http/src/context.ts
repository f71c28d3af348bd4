import type { Actor } from "@parley/auth/actor";
import { type Database, openDatabase } from "@parley/db/client";
import type { Context } from "hono";
import { describe } from "./errors.ts";
import type { BaseEnv } from "./plane.ts";
import type { RateState } from "./rate-limit/limits.ts";

/** What every verb gets, whatever called it. */
export type VerbContext<E> = {
	env: E;
	db: Database;
	/** Who acts; what the verb does, it does within `actor.organisation`. */
	actor: Actor;
	clock: () => Date;
	/** Runs work after the answer; the one allowed fire-and-forget. */
	defer: (work: Promise<unknown>) => void;
	requestId: string;
	/** The request's `If-Match`; services hand it to `assertIfMatch` of `@parley/contracts/etag`. */
	ifMatch?: string | undefined;
};

export type AppEnv<E> = {
	Bindings: E;
	Variables: { requestId: string; actor: Actor | undefined; rateState: RateState | undefined };
};

/** The parts of a verb's context that a request brings before anyone is authenticated. */
export function requestContext<E extends BaseEnv>(c: Context<AppEnv<E>>): Omit<VerbContext<E>, "actor"> {
	const requestId = c.get("requestId");
	return {
		env: c.env,
		db: openDatabase(c.env.DB),
		clock: () => new Date(),
		defer: (work) => c.executionCtx.waitUntil(work.catch((error) => logDeferred(error, requestId))),
		requestId,
		ifMatch: c.req.header("if-match"),
	};
}

function logDeferred(error: unknown, requestId: string): void {
	// biome-ignore lint/suspicious/noConsole: the worker's log is its console
	console.error(JSON.stringify({ level: "error", request_id: requestId, deferred: describe(error) }));
}
