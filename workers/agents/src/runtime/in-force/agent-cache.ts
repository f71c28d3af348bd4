import type { AgentInForce } from "./runtime-attachment.ts";

type Entry = { agent: AgentInForce; until: number; size: number };

/** Agents that this isolate has read lately, by organisation, agent and version. Holds a bounded amount of text. */
export class AgentCache {
	readonly #entries = new Map<string, Entry>();
	readonly #ttlMs: number;
	readonly #maxSize: number;
	#size = 0;

	/** @param maxSize characters of JSON of all agents together; an agent that is larger by itself is not kept */
	constructor(ttlMs: number, maxSize: number) {
		this.#ttlMs = ttlMs;
		this.#maxSize = maxSize;
	}

	get(key: string, now: number): AgentInForce | undefined {
		const entry = this.#entries.get(key);
		if (entry && entry.until > now) return entry.agent;
		this.#remove(key);
		return undefined;
	}

	/** `now` is the time before the agent was read, so that its age is never understated. */
	set(key: string, agent: AgentInForce, now: number): void {
		this.#remove(key);
		const size = JSON.stringify(agent).length;
		if (size > this.#maxSize) return;
		this.#entries.set(key, { agent, until: now + this.#ttlMs, size });
		this.#size += size;
		for (const oldest of this.#entries.keys()) {
			if (this.#size <= this.#maxSize) return;
			this.#remove(oldest);
		}
	}

	/** Removes the agents whose key begins with this. */
	removeAll(prefix: string): void {
		for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#remove(key);
	}

	#remove(key: string): void {
		this.#size -= this.#entries.get(key)?.size ?? 0;
		this.#entries.delete(key);
	}
}
