import { logError } from "@parley/context/log";
import { STACK_STARTED } from "@parley/contracts/internal/crons";
import { createContext } from "./context.ts";
import { consume, consumeDeadLetters } from "./queue/consume.ts";
import { releaseLeases } from "./sweeper/release-leases.ts";
import { sweep } from "./sweeper/sweep.ts";
import { consumeWebhooks } from "./webhooks/consume-webhooks.ts";

const contextOf = (env: Env, execution: ExecutionContext) =>
	createContext(env, {
		defer: (work) => execution.waitUntil(work.catch((error) => logError("DEFERRED_WORK", error))),
	});

export default {
	fetch: () => new Response(null, { status: 404 }),
	queue: (batch, env, execution) => {
		const ctx = contextOf(env, execution);
		if (batch.queue.endsWith("-dead")) return consumeDeadLetters(ctx, batch);
		if (!batch.queue.endsWith("-webhooks")) return consume(ctx, batch);
		return consumeWebhooks(ctx, batch, (sending) => execution.waitUntil(sending));
	},
	scheduled: async ({ cron }, env, execution) => {
		const ctx = contextOf(env, execution);
		if (cron === STACK_STARTED) await releaseLeases(ctx);
		await sweep(ctx);
	},
} satisfies ExportedHandler<Env>;
