// A receiver of webhooks that is down at first: the first try of every third delivery is refused, of every tenth not answered.
import { text } from "node:stream/consumers";
import { type Loopback, startLoopback } from "@parley/testing/loopback";

export type Receiver = Loopback & {
	/** By webhook-id: how often it came, how often it was accepted, and the different bodies that came with it. */
	deliveries: Map<string, { tries: number; accepted: number; bodies: Set<string> }>;
};

export async function startReceiver(): Promise<Receiver> {
	const deliveries: Receiver["deliveries"] = new Map();
	const { url, stop } = await startLoopback(async (request, response) => {
		const id = String(request.headers["webhook-id"]);
		const body = await text(request).catch(() => undefined);
		// Whoever sent it was killed on the way.
		if (body === undefined) return;
		const known = deliveries.get(id);
		const delivery = known ?? { tries: 0, accepted: 0, bodies: new Set() };
		delivery.tries++;
		delivery.bodies.add(body);
		if (!known) deliveries.set(id, delivery);
		if (delivery.tries === 1 && deliveries.size % 10 === 0) return;
		if (delivery.tries === 1 && deliveries.size % 3 === 0) return void response.writeHead(500).end();
		delivery.accepted++;
		response.writeHead(204).end();
	});
	return { url: `${url}/hooks`, deliveries, stop };
}
