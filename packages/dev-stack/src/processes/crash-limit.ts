const MAX_CRASHES = 10;
const WITHIN_MS = 60_000;

/**
 * Counts the crashes of each process.
 * @returns a function that records one more, and tells whether the process has now crashed too often to be started again.
 */
export function createCrashLimit(now: () => number = Date.now): (name: string) => boolean {
	const crashes = new Map<string, number[]>();
	return (name) => {
		const recent = [...(crashes.get(name) ?? []), now()].filter((at) => now() - at < WITHIN_MS);
		crashes.set(name, recent);
		return recent.length >= MAX_CRASHES;
	};
}
