import type { Actor } from "@parley/context/actor";

/** Actors that another worker has authenticated, by the request that it passes on. */
const actors = new WeakMap<Request, Actor>();

/**
 * Marks a request as one of an actor whom another worker has authenticated. Only an entrypoint that is reached by a binding
 * may call this: the request's own credential counts no more.
 */
export function withActor(request: Request, actor: Actor): Request {
	actors.set(request, actor);
	return request;
}

/** Returns the actor of a request that another worker has authenticated. */
export const knownActor = (request: Request): Actor | undefined => actors.get(request);
