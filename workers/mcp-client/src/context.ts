import { systemActor } from "@parley/context/actor";
import type { VerbContext } from "@parley/context/verb-context";
import { openDatabase } from "@parley/db/client";

/** Context of every function of this worker. The actor is the system, not a person or a key. */
export type Ctx = Pick<VerbContext<Env>, "env" | "db" | "actor" | "clock">;

/** Builds the context for one organisation. */
export const contextOf = (env: Env, organisationId: string): Ctx => ({
	env,
	db: openDatabase(env.DB),
	actor: systemActor("mcp", organisationId),
	clock: () => new Date(),
});
