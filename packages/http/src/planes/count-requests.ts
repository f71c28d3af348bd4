import { type Actor, usageAccount } from "@parley/context/actor";
import type { Database } from "@parley/db/client";
import { addUsage } from "@parley/db/platform/usage";

/** Time that an isolate counts before it writes one row per actor, however many requests there were. */
const COUNT_FOR_MS = 5_000;

type Context = { db: Database; clock: () => Date; defer: (work: Promise<unknown>) => void };

// Requests that are counted but not yet written, by actor.
const pending = new Map<string, number>();

/** Counts a request for the usage report. The count is written a few seconds later, after an answer. */
export function countRequest(ctx: Context, actor: Actor): void {
	const account = `${actor.organisation.id} ${actor.id}`;
	const counted = pending.get(account);
	pending.set(account, (counted ?? 0) + 1);
	if (counted === undefined) ctx.defer(writeLater(ctx, actor, account));
}

async function writeLater({ db, clock }: Context, actor: Actor, account: string): Promise<void> {
	await new Promise((elapsed) => setTimeout(elapsed, COUNT_FOR_MS));
	const requests = pending.get(account) ?? 0;
	pending.delete(account);
	const of = {
		...{ organisationId: actor.organisation.id, apiKeyId: usageAccount(actor) },
		...{ modelCode: "", at: clock() },
	};
	await addUsage(db, of, { requests }).run();
}
