import { startDohServer } from "@parley/egress/test/doh-server";
import type { TestProject } from "vitest/node";

declare module "vitest" {
	interface ProvidedContext {
		/** A resolver on loopback that knows the names of `ZONE`. */
		resolver: string;
	}
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { endpoint, stop } = await startDohServer();
	project.provide("resolver", endpoint);
	return stop;
}
