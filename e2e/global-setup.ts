// One stack for all whole-stack tests, as `npm start` makes it: real workers, real storage, the real speech engine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startStack } from "@parley/dev-stack/stack";
import type { Bootstrap } from "@parley/dev-stack/state/bootstrap";
import type { TestProject } from "vitest/node";
import { startPackageIndex } from "../workers/python/test/package-index.ts";
import { CODE_LIMIT_MS } from "./code/code-client.ts";

declare module "vitest" {
	interface ProvidedContext {
		baseUrl: string;
		keys: Bootstrap;
		state: string;
	}
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	const state = mkdtempSync(join(tmpdir(), "parley-e2e-"));
	const index = await startPackageIndex();
	const settings = {
		PYTHON_INDEX: `${index.url}/simple/`,
		CODE_RUN_TIMEOUT_MS: String(CODE_LIMIT_MS),
		CODE_BUILD_WAIT_MS: "1500",
	};
	const stack = await startStack({ state, port: await freePort(), settings });
	provide("baseUrl", stack.baseUrl);
	provide("keys", stack.keys);
	provide("state", state);
	return async () => {
		await stack.stop();
		await index.stop();
		rmSync(state, { recursive: true, force: true });
	};
}
