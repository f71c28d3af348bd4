// A receiver of webhooks that is down at first: the first try of every third delivery is refused, of every tenth not answered.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Receiver = {
	url: string;
	/** By webhook-id: how often it came, how often it was accepted, and the different bodies that came with it. */
	deliveries: Map<string, { tries: number; accepted: number; bodies: Set<string> }>;
	stop: () => void;
};

export async function startReceiver(): Promise<Receiver> {
	const deliveries: Receiver["deliveries"] = new Map();
	const server = createServer(async (request, response) => {
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
	}).listen(0, "127.0.0.1");
	await new Promise((listening) => server.once("listening", listening));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/hooks`,
		deliveries,
		stop: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
