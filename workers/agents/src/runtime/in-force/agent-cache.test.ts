import { expect, test } from "vitest";
import { AgentCache } from "./agent-cache.ts";
import type { AgentInForce } from "./runtime-attachment.ts";

const agentOf = (size: number) => ({ name: "x".repeat(size - 11) }) as AgentInForce;

test("an agent is kept for its time and no longer", () => {
	const cache = new AgentCache(8_000, 1_000);
	const agent = agentOf(100);
	cache.set("a", agent, 0);
	expect(cache.get("a", 7_999)).toBe(agent);
	expect(cache.get("a", 8_000)).toBeUndefined();
});

test("the oldest agents make room, and one that is too large is not kept", () => {
	const cache = new AgentCache(8_000, 1_000);
	for (const key of ["a", "b", "c"]) cache.set(key, agentOf(400), 0);
	expect(["a", "b", "c"].map((key) => cache.get(key, 1) !== undefined)).toEqual([false, true, true]);
	cache.set("d", agentOf(1_001), 0);
	expect(cache.get("d", 1)).toBeUndefined();
	cache.set("b", agentOf(900), 0);
	expect(["b", "c"].map((key) => cache.get(key, 1) !== undefined)).toEqual([true, false]);
});

test("all versions of an agent are removed together", () => {
	const cache = new AgentCache(8_000, 1_000);
	for (const key of ["o a 1", "o a 2", "o b 1"]) cache.set(key, agentOf(100), 0);
	cache.removeAll("o a ");
	expect(["o a 1", "o a 2", "o b 1"].map((key) => cache.get(key, 1) !== undefined)).toEqual([
		false,
		false,
		true,
	]);
});
