import type { AddressRules } from "./address.ts";
import { createDohResolver, type Resolve } from "./doh-resolver.ts";

/** The settings of a worker that outgoing requests are judged by. Who sends none to a host of a user's needs no resolver. */
export type EgressSettings = { EGRESS_ALLOW_LOOPBACK: string; EGRESS_RESOLVER?: string };

/** The part of an `EgressPolicy` that is the deployment's own. */
export type EgressRules = AddressRules & {
	/** The addresses of a name. Absent, names are judged by their text alone, see `guardedFetch`. */
	resolve?: Resolve;
};

/** One an isolate, since each remembers what it was told. */
const resolvers = new Map<string, Resolve>();

/** What a deployment's settings have to say about every outgoing request. Only the text `true` lets loopback through. */
export function egressRules({ EGRESS_ALLOW_LOOPBACK, EGRESS_RESOLVER }: EgressSettings): EgressRules {
	const allowLoopback = EGRESS_ALLOW_LOOPBACK === "true";
	return EGRESS_RESOLVER ? { allowLoopback, resolve: resolverAt(EGRESS_RESOLVER) } : { allowLoopback };
}

function resolverAt(endpoint: string): Resolve {
	const resolve = resolvers.get(endpoint) ?? createDohResolver(endpoint);
	resolvers.set(endpoint, resolve);
	return resolve;
}
