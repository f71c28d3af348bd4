// A client as it should be: what got no answer is said again, in the same words.
import { sleep } from "@parley/dev-stack/processes/processes";

export type Client = <T = Record<string, unknown>>(
	method: string,
	path: string,
	body?: unknown,
) => Promise<{ status: number; body: T }>;

const GIVE_UP_MS = 180_000;

/** Requests to a stack that may be gone for a while. A body with a `job_id` may be said again without harm. */
export function startClient(baseUrl: string, key: string): Client {
	return async <T>(method: string, path: string, body?: unknown) => {
		const deadline = Date.now() + GIVE_UP_MS;
		for (;;) {
			try {
				const response = await fetch(baseUrl + path, {
					method,
					headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
					...(body !== undefined && { body: JSON.stringify(body) }),
					signal: AbortSignal.timeout(40_000),
				});
				const text = await response.text();
				const isJson = response.headers.get("content-type")?.includes("json");
				if (response.status === 429 || response.status >= 500) throw new Error(`${response.status}: ${text}`);
				return { status: response.status, body: (isJson ? JSON.parse(text) : text) as T };
			} catch (error) {
				if (Date.now() > deadline) throw new Error(`${method} ${path} got no answer`, { cause: error });
			}
			await sleep(300);
		}
	};
}
