import { createContext } from "./context.ts";
import { consume, consumeDeadLetters } from "./queue/consume.ts";
import { sweep } from "./sweeper/sweep.ts";

export default {
	fetch: () => new Response(null, { status: 404 }),
	queue: (batch, env) => {
		const ctx = createContext(env);
		return batch.queue.endsWith("-dead") ? consumeDeadLetters(ctx, batch) : consume(ctx, batch);
	},
	scheduled: (_event, env) => sweep(createContext(env)),
} satisfies ExportedHandler<Env>;
