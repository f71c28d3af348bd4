import { inject } from "vitest";
import type { Plan } from "./plan.ts";

export type { Plan };

/** A corner of the peers that is this test's own. */
export function createPeer(base = inject("mcpPeers")) {
	const id = crypto.randomUUID();
	return {
		id,
		official: (era: "stateless" | "both" | "session" | "sse") => `${base}/x/${id}/official/${era}`,
		hostile: (behaviour: string) => `${base}/x/${id}/hostile/${behaviour}`,
		plan: async (plan: Plan) => {
			await fetch(`${base}/plan/${id}`, { method: "PUT", body: JSON.stringify(plan) });
		},
		seen: async () => (await (await fetch(`${base}/seen/${id}`)).json()) as Seen[],
	};
}

type Seen = { method: string; path: string; headers: Record<string, string | undefined> };

/** The address of the protocol's reference server. */
export const everythingUrl = async (transport: "streamableHttp" | "sse"): Promise<string> =>
	(await fetch(`${inject("mcpPeers")}/everything/${transport}`)).text();

declare module "vitest" {
	interface ProvidedContext {
		/** Addresses of `peers.ts`: plain, and with a self-signed certificate. */
		mcpPeers: string;
		mcpTlsPeers: string;
	}
}
