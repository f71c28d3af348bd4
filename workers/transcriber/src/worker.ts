import { STACK_STARTED } from "@parley/contracts/internal/crons";
import { createContext } from "./context.ts";
import { consume, consumeDeadLetters } from "./queue/consume.ts";
import { releaseLeases } from "./sweeper/release-leases.ts";
import { sweep } from "./sweeper/sweep.ts";
import { consumeWebhooks } from "./webhooks/consume-webhooks.ts";

export default {
	fetch: () => new Response(null, { status: 404 }),
	queue: (batch, env, execution) => {
		const ctx = createContext(env);
		if (batch.queue.endsWith("-dead")) return consumeDeadLetters(ctx, batch);
		if (!batch.queue.endsWith("-webhooks")) return consume(ctx, batch);
		return consumeWebhooks(ctx, batch, (sending) => execution.waitUntil(sending));
	},
	scheduled: async ({ cron }, env) => {
		const ctx = createContext(env);
		if (cron === STACK_STARTED) await releaseLeases(ctx);
		await sweep(ctx);
	},
} satisfies ExportedHandler<Env>;
