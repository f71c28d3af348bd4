// One stack for all whole-stack tests, as `npm start` makes it: real workers, real storage, the real speech engine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { Bootstrap } from "../scripts/lib/bootstrap.ts";
import { freePort, startStack } from "../scripts/lib/stack.ts";

declare module "vitest" {
	interface ProvidedContext {
		baseUrl: string;
		keys: Bootstrap;
		state: string;
	}
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	const state = mkdtempSync(join(tmpdir(), "parley-e2e-"));
	const stack = await startStack({ state, port: await freePort() });
	provide("baseUrl", stack.baseUrl);
	provide("keys", stack.keys);
	provide("state", state);
	return async () => {
		await stack.stop();
		rmSync(state, { recursive: true, force: true });
	};
}
