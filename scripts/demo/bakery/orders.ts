// The bakery's own order system, on loopback: `/orders` as it was, `/v2/orders` with the hour of delivery.
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Loopback, startLoopback } from "@parley/testing/loopback";

export const CALLER = "+14155550123";
const ORDER = { number: 4711, items: "two loaves of rye" };
const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Starts the system on a free port. It answers holders of the token only, and repeats the token in each answer. */
export async function startOrders(token: string): Promise<Loopback> {
	let day = "Monday";
	return startLoopback(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? "/", "http://bakery");
		if (request.headers.authorization !== `Bearer ${token}`)
			return send(response, 401, { error: "Who are you?" });
		if (request.method === "POST") {
			const asked = String((await readJson(request)).day);
			if (!DAYS.includes(asked)) return send(response, 422, { error: `We do not deliver on ${asked}` });
			day = asked;
			return send(response, 200, { order: ORDER.number, day, token });
		}
		if (searchParams.get("phone") !== CALLER)
			return send(response, 404, { error: "No order for this number" });
		const hours = pathname.startsWith("/v2/") ? { hours: "between nine and eleven" } : {};
		send(response, 200, { order: ORDER.number, day, ...hours, items: ORDER.items, token });
	});
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	return JSON.parse(Buffer.concat(chunks).toString() || "{}");
}

function send(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
