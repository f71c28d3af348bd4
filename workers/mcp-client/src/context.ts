import { systemActor } from "@parley/context/actor";
import type { VerbContext } from "@parley/context/verb-context";
import { openDatabase } from "@parley/db/client";

/** The context of each verb of the mcp-client worker, which acts for Parley itself. */
export type Ctx = Pick<VerbContext<Env>, "env" | "db" | "actor" | "clock">;

export const contextOf = (env: Env, organisationId: string): Ctx => ({
	env,
	db: openDatabase(env.DB),
	actor: systemActor("mcp", organisationId),
	clock: () => new Date(),
});
