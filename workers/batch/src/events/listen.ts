import type { JobFeedMessage } from "@parley/contracts/batch/events";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";

export type Listener = {
	/** Resolves when the feed has closed the connection, and only then. */
	closed: Promise<void>;
	close: () => void;
};

/**
 * Listens to the feed of the caller's organisation.
 * @param which `job_id` for one job; `last_event_id` of the last message that the caller has seen
 * @throws ApiError RATE_LIMITED when the organisation has too many listeners
 */
export async function listen(
	{ env, actor }: Pick<Ctx, "env" | "actor">,
	which: { job_id?: string; last_event_id?: string },
	receive: (message: JobFeedMessage) => void,
): Promise<Listener> {
	const url = `https://feed.internal/?${new URLSearchParams(which)}`;
	const feed = env.JOB_FEED.getByName(actor.organisation.id);
	const { status, webSocket } = await feed.fetch(url, { headers: { upgrade: "websocket" } });
	if (status === 429)
		throw new ApiError("RATE_LIMITED", "Your organisation has too many open event streams. Close some.");
	if (!webSocket) throw new Error(`The feed answered ${status}`);
	const { promise: closed, resolve } = Promise.withResolvers<void>();
	webSocket.addEventListener("message", ({ data }) => receive(JSON.parse(String(data)) as JobFeedMessage));
	webSocket.addEventListener("close", () => resolve());
	webSocket.addEventListener("error", () => resolve());
	webSocket.accept();
	return { closed, close: () => webSocket.close(1000) };
}
