// One stack for all whole-stack tests, as `npm start` makes it: real workers, real storage, the real speech engine.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startStack } from "@parley/dev-stack/stack";
import { type Bootstrap, createBootstrap } from "@parley/dev-stack/state/bootstrap";
import type { TestProject } from "vitest/node";
import { startPackageIndex } from "../workers/python/test/package-index.ts";
import { CODE_LIMIT_MS } from "./code/code-client.ts";

declare module "vitest" {
	interface ProvidedContext {
		baseUrl: string;
		/** Keys of the demo organisation. */
		keys: Bootstrap;
		/** Keys of an organisation that no test of another file changes. */
		newcomer: Bootstrap;
		/** Keys of the organisation that the console's tests fill. */
		studio: Bootstrap;
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
	const newcomer = await createBootstrap("Newcomer");
	const studio = await createBootstrap("Studio");
	const firstSql = `${newcomer.sql}\n${studio.sql}`;
	const stack = await startStack({ state, port: await freePort(), settings, firstSql });
	provide("baseUrl", stack.baseUrl);
	provide("keys", stack.keys);
	provide("newcomer", newcomer.keys);
	provide("studio", studio.keys);
	provide("state", state);
	return async () => {
		await stack.stop();
		await index.stop();
		rmSync(state, { recursive: true, force: true });
	};
}
