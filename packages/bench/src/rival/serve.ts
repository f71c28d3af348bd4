import { fork } from "node:child_process";
import { join } from "node:path";
import { freePort } from "@parley/dev-stack/stack";
import { startServices } from "./services.ts";

export type Rival = { url: string; headers: Record<string, string>; stop: () => void };

/** The usual stack, doing the same as the batch API; undefined where PostgreSQL and Redis are not installed. */
export async function startRival(): Promise<Rival | undefined> {
	const services = await startServices();
	if (!services) return undefined;
	const port = await freePort();
	const { postgres, redis } = services;
	const child = fork(join(import.meta.dirname, "main.ts"), [JSON.stringify({ postgres, redis, port })]);
	await new Promise((ready, fail) => {
		child.once("message", ready);
		child.once("exit", (code) => fail(new Error(`the rival ended with code ${code}`)));
	});
	return {
		url: `http://127.0.0.1:${port}/v1/batch/jobs`,
		headers: { "x-api-key": "bench-key" },
		stop: () => {
			child.kill();
			services.stop();
		},
	};
}
