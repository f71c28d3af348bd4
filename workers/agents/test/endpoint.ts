import { inject } from "vitest";

export type Seen = {
	method: string;
	path: string;
	headers: Record<string, string | undefined>;
	body: string;
};

/** Creates a private part of the test endpoint: its address, and the requests that it received. */
export function createEndpoint(): { url: (behaviour: string) => string; seen: () => Promise<Seen[]> } {
	const base = inject("endpoint");
	const id = crypto.randomUUID();
	return {
		url: (behaviour) => `${base}/t/${id}/${behaviour}`,
		seen: async () => (await (await fetch(`${base}/seen/${id}`)).json()) as Seen[],
	};
}

declare module "vitest" {
	interface ProvidedContext {
		/** Address of `endpoint-server.ts`. */
		endpoint: string;
	}
}
