import { env, exports } from "cloudflare:workers";
import { createOrganisation } from "@parley/testing/organisation";
import type { BaseEnv } from "../src/plane.ts";

type Call = { body?: BodyInit; headers?: Record<string, string> };

export const testEnv = env as unknown as BaseEnv;
const worker = (exports as unknown as { default: Fetcher }).default;

/** An organisation with a key of every scope, and a way to call the test worker with it. */
export async function createClient() {
	const organisation = await createOrganisation(testEnv.DB);
	const call = (method: string, path: string, { body, headers }: Call = {}): Promise<Response> =>
		worker.fetch(
			new Request(`https://parley.example${path}`, {
				method,
				headers: { authorization: `Bearer ${organisation.key}`, ...headers },
				...(body !== undefined && { body }),
			}),
		);
	return { ...organisation, call };
}
