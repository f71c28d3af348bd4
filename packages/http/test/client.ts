import { createExecutionContext } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { createOrganisation } from "@parley/testing/organisation";
import type { BaseEnv } from "../src/base-env.ts";
import { app } from "./worker.ts";

type Call = { body?: BodyInit; headers?: Record<string, string>; settings?: Partial<BaseEnv> };

export const testEnv = env as unknown as BaseEnv;
const worker = (exports as unknown as { default: Fetcher }).default;

/** Calls the test worker, under other settings when some are given. */
export async function callWorker(method: string, path: string, { body, headers, settings }: Call = {}) {
	const init = { method, ...(headers && { headers }), ...(body !== undefined && { body }) };
	const request = new Request(`https://parley.example${path}`, init);
	if (!settings) return worker.fetch(request);
	return app.fetch(request, { ...testEnv, ...settings }, createExecutionContext());
}

/** An organisation with a key of every scope, and a way to call the test worker with it. */
export async function createClient() {
	const organisation = await createOrganisation(testEnv.DB);
	const call = (method: string, path: string, options: Call = {}) =>
		callWorker(method, path, {
			...options,
			headers: { authorization: `Bearer ${organisation.key}`, ...options.headers },
		});
	return { ...organisation, call };
}
