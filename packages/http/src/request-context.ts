import { logError } from "@parley/context/log";
import type { VerbContext } from "@parley/context/verb-context";
import { openDatabase } from "@parley/db/client";
import type { Context } from "hono";
import type { AppEnv } from "./app-env.ts";
import type { BaseEnv } from "./base-env.ts";

/** Returns the parts of a verb's context that a request brings before its caller is authenticated. */
export function requestContext<E extends BaseEnv>(c: Context<AppEnv<E>>): Omit<VerbContext<E>, "actor"> {
	const requestId = c.get("requestId");
	const logDeferred = (error: unknown) => logError("DEFERRED_WORK", error, { request_id: requestId });
	return {
		env: c.env,
		db: openDatabase(c.env.DB),
		clock: () => new Date(),
		defer: (work) => c.executionCtx.waitUntil(work.catch(logDeferred)),
		requestId,
		ifMatch: c.req.header("if-match"),
	};
}
