// The transcriber behind queues that deliver everything twice, as queues may: every other batch at the same time, the others
// once more when the first delivery is through. Whole-stack fault tests put it in the worker's place.
import transcriber from "../src/worker.ts";

let batches = 0;

export default {
	...transcriber,
	async queue(batch, env, execution) {
		const again = () => transcriber.queue(echo(batch), env, execution);
		if (batches++ % 2 === 0) await Promise.all([transcriber.queue(batch, env, execution), again()]);
		else {
			await transcriber.queue(batch, env, execution);
			await again();
		}
	},
} satisfies ExportedHandler<Env>;

/** The same messages, whose fate the first delivery alone decides. */
function echo(batch: MessageBatch): MessageBatch {
	const messages = batch.messages.map(({ id, timestamp, body, attempts }) => ({
		...{ id, timestamp, body, attempts },
		ack() {},
		retry() {},
	}));
	return { queue: batch.queue, metadata: batch.metadata, messages, ackAll() {}, retryAll() {} };
}
