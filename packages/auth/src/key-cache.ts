/** A bounded map whose entries live for a fixed time; the least recently used one makes room. */
export class KeyCache<T> {
	private readonly entries = new Map<string, { value: T; until: number }>();
	private readonly maxEntries: number;
	private readonly ttlMs: number;

	constructor(maxEntries: number, ttlMs: number) {
		this.maxEntries = maxEntries;
		this.ttlMs = ttlMs;
	}

	get(key: string, now: number): T | undefined {
		const entry = this.entries.get(key);
		if (!entry) return undefined;
		this.entries.delete(key);
		if (entry.until <= now) return undefined;
		this.entries.set(key, entry);
		return entry.value;
	}

	delete(key: string): void {
		this.entries.delete(key);
	}

	/** `now` is the time before the value was read from storage, so that its age is never understated. */
	set(key: string, value: T, now: number): void {
		this.entries.delete(key);
		const oldest = this.entries.keys().next();
		if (this.entries.size >= this.maxEntries && !oldest.done) this.entries.delete(oldest.value);
		this.entries.set(key, { value, until: now + this.ttlMs });
	}
}
