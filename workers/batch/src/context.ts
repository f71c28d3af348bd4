import type { VerbContext } from "@parley/context/verb-context";
import { createSpeechRegistry, type SpeechRegistry } from "@parley/engines/speech/speech-registry";
import { batchPlane } from "@parley/http/planes/planes";
import { createRouter } from "@parley/http/router";

/** What each verb of the batch worker gets. */
export type Ctx = VerbContext<Env> & {
	/** What can be asked of a job; recognition itself happens in the transcriber. */
	engines: SpeechRegistry;
	/** Scheme and host that the caller used; presigned URLs of the local simulator are on it. */
	origin: string;
	sleep: (ms: number) => Promise<void>;
};

export const createBatchRouter = () =>
	createRouter<Env, Ctx>(batchPlane, (base, c) => {
		const { env } = base;
		return {
			...base,
			engines: enginesOf(env),
			origin: new URL(c.req.url).origin,
			sleep,
		};
	});

const sleep = (ms: number): Promise<void> => scheduler.wait(ms);

const registries = new WeakMap<Env, SpeechRegistry>();

/** The registry is built once an isolate. */
function enginesOf(env: Env): SpeechRegistry {
	const engines = registries.get(env) ?? createSpeechRegistry(env);
	registries.set(env, engines);
	return engines;
}
