import type { Actor } from "@parley/auth/actor";
import type { Database } from "@parley/db/client";
import { addUsage } from "@parley/db/usage";

/** How long an isolate counts before it writes: one row for a key in this time, however many requests. */
const COUNT_FOR_MS = 5_000;

type Context = { db: Database; clock: () => Date; defer: (work: Promise<unknown>) => void };

// Requests counted here and not yet written, by key.
const pending = new Map<string, number>();

/** Counts a request for the usage report. Writes nothing itself: the count is written a little later, behind an answer. */
export function countRequest(ctx: Context, actor: Actor): void {
	const counted = pending.get(actor.keyId);
	pending.set(actor.keyId, (counted ?? 0) + 1);
	if (counted === undefined) ctx.defer(writeLater(ctx, actor));
}

async function writeLater({ db, clock }: Context, actor: Actor): Promise<void> {
	await new Promise((elapsed) => setTimeout(elapsed, COUNT_FOR_MS));
	const requests = pending.get(actor.keyId) ?? 0;
	pending.delete(actor.keyId);
	const of = { organisationId: actor.organisation.id, apiKeyId: actor.keyId, modelCode: "", at: clock() };
	await addUsage(db, of, { requests }).run();
}
