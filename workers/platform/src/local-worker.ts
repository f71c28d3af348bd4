// The platform worker of a local stack: `wrangler dev` fires no crons, and passes its trigger to the first worker alone.
import worker from "./worker.ts";

export { RateLimiter, SpeechSession } from "./worker.ts";

type Scheduled = {
	scheduled: (event: { cron: string; scheduledTime: Date }) => Promise<{ outcome: string }>;
};
type LocalEnv = Env & { TRANSCRIBER: Scheduled };

export default {
	...worker,
	async scheduled(event, { TRANSCRIBER }) {
		const { outcome } = await TRANSCRIBER.scheduled({
			cron: event.cron,
			scheduledTime: new Date(event.scheduledTime),
		});
		if (outcome !== "ok") throw new Error(`The sweeper ended with ${outcome}`);
	},
} satisfies ExportedHandler<LocalEnv>;
