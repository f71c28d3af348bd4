import { createContext } from "./context.ts";
import { consume, consumeDeadLetters } from "./queue/consume.ts";
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
	scheduled: (_event, env) => sweep(createContext(env)),
} satisfies ExportedHandler<Env>;
