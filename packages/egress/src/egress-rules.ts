import type { AddressRules } from "./address.ts";
import { createDohResolver, type Resolve } from "./doh-resolver.ts";
import { type Probe, probeSocket } from "./socket-probe.ts";

/** The settings of a worker that outgoing requests are judged by. Who sends none to a host of a user's needs no resolver. */
export type EgressSettings = {
	EGRESS_ALLOW_LOOPBACK: string;
	EGRESS_OWN_PORTS: string;
	EGRESS_RESOLVER?: string;
};

/** The part of an `EgressPolicy` that is the deployment's own. */
export type EgressRules = AddressRules & {
	/** The addresses of a name. Absent, names are judged by their text alone, see `guardedFetch`. */
	resolve?: Resolve;
	/** Tells failures to connect apart that workerd reports alike. Absent, these are all `connect_failed`. */
	probe?: Probe;
};

/** One an isolate, since each remembers what it was told. */
const resolvers = new Map<string, Resolve>();

/** Returns the rules for outgoing requests from a deployment's settings. Only the text `true` allows loopback. */
export function egressRules(settings: EgressSettings): EgressRules {
	const { EGRESS_ALLOW_LOOPBACK, EGRESS_OWN_PORTS, EGRESS_RESOLVER } = settings;
	return {
		allowLoopback: EGRESS_ALLOW_LOOPBACK === "true",
		ownPorts: new Set(EGRESS_OWN_PORTS.split(",").filter(Boolean).map(Number)),
		probe: probeSocket,
		...(EGRESS_RESOLVER && { resolve: resolverAt(EGRESS_RESOLVER) }),
	};
}

function resolverAt(endpoint: string): Resolve {
	const resolve = resolvers.get(endpoint) ?? createDohResolver(endpoint);
	resolvers.set(endpoint, resolve);
	return resolve;
}
