import type { TestProject } from "vitest/node";
import { startDohServer } from "./doh-server.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** A resolver on loopback that knows the names of `ZONE`. */
		resolver: string;
	}
}

/** Starts the resolver beside the tests of a worker. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const { endpoint, stop } = await startDohServer();
	project.provide("resolver", endpoint);
	return stop;
}
