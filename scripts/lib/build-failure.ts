// A worker that does not build: wrangler writes why into its log and waits for the source to change.
import { createReadStream, existsSync, statSync } from "node:fs";
import { text } from "node:stream/consumers";

const LOOK_EVERY_MS = 250;

/**
 * Reads on in a log that wrangler appends to, until it says that a build failed.
 * @returns `failed`, which never resolves and rejects with what wrangler says of the build; `stop` to look no more.
 */
export function watchBuild(log: string): { failed: Promise<never>; stop: () => void } {
	const from = existsSync(log) ? statSync(log).size : 0;
	const { promise, reject } = Promise.withResolvers<never>();
	promise.catch(() => {});
	const timer = setInterval(async () => {
		if (!existsSync(log)) return;
		const written = await text(createReadStream(log, { start: from }));
		const at = written.indexOf("Build failed with");
		if (at < 0) return;
		clearInterval(timer);
		reject(
			new Error(`The workers do not build:\n${written.slice(written.lastIndexOf("\n", at) + 1).trim()}`),
		);
	}, LOOK_EVERY_MS);
	timer.unref();
	return { failed: promise, stop: () => clearInterval(timer) };
}
