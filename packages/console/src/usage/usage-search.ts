export const RANGES = ["7d", "30d", "90d", "week", "month", "last-month", "custom"] as const;
export type Range = (typeof RANGES)[number];
export const METRICS = ["minutes", "requests", "jobs", "runs", "cost"] as const;
export type Metric = (typeof METRICS)[number];
export type Group = "day" | "model" | "key";

/** State of the usage screen that lives in the URL. Absent ones are 30 days, minutes, by day. */
export type UsageSearch = {
	range?: Range;
	/** First and last day of a range that was chosen. */
	since?: string;
	until?: string;
	by?: Group;
	metric?: Metric;
};

const isDay = (value: unknown): value is string =>
	typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

/** Reads the state from the URL and drops what it does not know. */
export function usageSearch(search: Record<string, unknown>): UsageSearch {
	const range = RANGES.find((one) => one === search.range);
	const metric = METRICS.find((one) => one === search.metric);
	return {
		...(range && range !== "30d" && { range }),
		...(range === "custom" && isDay(search.since) && { since: search.since }),
		...(range === "custom" && isDay(search.until) && { until: search.until }),
		...((search.by === "model" || search.by === "key") && { by: search.by }),
		...(metric && metric !== "minutes" && { metric }),
	};
}
