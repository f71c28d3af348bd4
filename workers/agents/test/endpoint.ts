import { inject } from "vitest";

export type Seen = {
	method: string;
	path: string;
	headers: Record<string, string | undefined>;
	body: string;
};

/** A corner of the test endpoint that is this test's own: its address, and what has arrived there. */
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
		/** Where `endpoint-server.ts` listens. */
		endpoint: string;
	}
}
