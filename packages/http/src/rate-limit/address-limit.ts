import { KeyCache } from "@parley/auth/key-cache";
import { type Draw, WINDOW_MS } from "./lease.ts";

type Counter = { used: number; endsAt: number };

/**
 * Counts what an address does without a valid key: open routes, and credentials that are refused. It shields the database
 * from floods, so it must cost nothing itself: each isolate counts on its own, in memory.
 */
export class AddressLimiter {
	private readonly counters = new KeyCache<Counter>(20_000, WINDOW_MS);

	/** How the address stands; draws nothing. */
	peek(address: string, limit: number, now: number): Draw {
		const { used, endsAt } = this.counterOf(address, now);
		return { admitted: used < limit, remaining: Math.max(0, limit - used), resetMs: endsAt - now };
	}

	draw(address: string, limit: number, now: number): Draw {
		const { used, endsAt } = this.counterOf(address, now);
		this.counters.set(address, { used: used + 1, endsAt }, now);
		return { admitted: used < limit, remaining: Math.max(0, limit - used - 1), resetMs: endsAt - now };
	}

	private counterOf(address: string, now: number): Counter {
		const counter = this.counters.get(address, now);
		return counter && counter.endsAt > now ? counter : { used: 0, endsAt: now + WINDOW_MS };
	}
}

/** Returns the address that limits count: the one the edge saw. An IPv6 address counts by its /64, which one caller controls as a whole. */
export function addressOf(headers: Headers): string {
	const address = headers.get("cf-connecting-ip") ?? "unknown";
	if (!address.includes(":")) return address;
	const [head = "", tail] = address.toLowerCase().split("::");
	const groups = (part: string) => (part === "" ? [] : part.split(":"));
	const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups(head).length - groups(tail).length);
	const all = [...groups(head), ...Array<string>(zeros).fill("0"), ...groups(tail ?? "")];
	return `${all
		.slice(0, 4)
		.map((group) => group.replace(/^0+(?=.)/, ""))
		.join(":")}::/64`;
}
