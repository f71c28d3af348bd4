import type { Database } from "@parley/db/client";
import type { Actor } from "./actor.ts";

/** Context of every service function, whether for a request, a queue message or an alarm. */
export type VerbContext<E> = {
	env: E;
	db: Database;
	/** Actor. A service function touches only rows of `actor.organisation`. */
	actor: Actor;
	clock: () => Date;
	/** Runs work after the answer; the one allowed fire-and-forget. */
	defer: (work: Promise<unknown>) => void;
	requestId: string;
	/** The request's `If-Match`. Services pass it to `assertIfMatch` of `@parley/contracts/shared/etag`. */
	ifMatch?: string | undefined;
};
