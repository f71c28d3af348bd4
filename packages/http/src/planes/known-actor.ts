import type { Actor } from "@parley/context/actor";

/** Actors that another worker has authenticated, by the request that it passes on. */
const actors = new WeakMap<Request, Actor>();

/**
 * Marks this request object as one of an actor whom another worker has authenticated, and returns it. A copy of the request
 * does not have the mark. The request's own credential no longer counts, so only an entrypoint that is reached by a binding
 * may call this.
 */
export function setKnownActor(request: Request, actor: Actor): Request {
	actors.set(request, actor);
	return request;
}

/** Returns the actor of a request that another worker has authenticated. */
export const knownActor = (request: Request): Actor | undefined => actors.get(request);
