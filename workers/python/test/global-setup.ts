import { startDohServer } from "@parley/egress/test/doh-server";
import type { TestProject } from "vitest/node";
import { startPackageIndex } from "./package-index.ts";
import { startPythonStack } from "./stack.ts";

declare module "vitest" {
	interface ProvidedContext {
		callerUrl: string;
		indexUrl: string;
	}
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	const index = await startPackageIndex();
	const resolver = await startDohServer();
	const stack = await startPythonStack({
		PYTHON_INDEX: `${index.url}/simple`,
		PYTHON_INDEX_TIMEOUT_MS: "2000",
		EGRESS_ALLOW_LOOPBACK: "true",
		EGRESS_RESOLVER: resolver.endpoint,
		MAX_LIVE_SANDBOXES: "4",
	});
	provide("callerUrl", stack.callerUrl);
	provide("indexUrl", index.url);
	return async () => {
		await stack.stop();
		await index.stop();
		resolver.stop();
	};
}
