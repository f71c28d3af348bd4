import type { ModelPricing } from "@parley/contracts/platform/catalog";
import type { UsageItem, UsageQuery, UsageReport } from "@parley/contracts/platform/usage";

export type UsageAmounts = UsageReport["total"];

/** Use on a day, by a key, of a model; null where there was none. */
export type UsageRow = {
	day: string;
	modelCode: string | null;
	apiKeyId: string | null;
} & Partial<UsageAmounts>;

const COUNTERS = ["requests", "jobs", "runs", "audio_seconds", "characters"] as const;
const MICRO_USD = 1_000_000;

/** Returns what a row costs, in USD; null for use that has no price. */
export function costOf(
	{ audio_seconds = 0, characters = 0 }: Pick<UsageRow, "audio_seconds" | "characters">,
	price: { unit: ModelPricing["unit"]; price: number } | undefined,
): number | null {
	if (!price) return null;
	return price.price * (price.unit === "audio_second" ? audio_seconds : characters);
}

/** Rows of all sources as one report's items, in order of the group, and their sum. */
export function groupUsage(
	rows: readonly UsageRow[],
	groupBy: UsageQuery["group_by"],
	labels: ReadonlyMap<string, string>,
): Pick<UsageReport, "items" | "total"> {
	const groups = Map.groupBy(rows, (row) => groupOf(row, groupBy));
	const items = [...groups]
		.sort(([a], [b]) => ((a ?? "") < (b ?? "") ? -1 : 1))
		.map(([group, members]): UsageItem => ({ ...describeGroup(group, groupBy, labels), ...sum(members) }));
	return { items, total: sum(rows) };
}

function groupOf(row: UsageRow, groupBy: UsageQuery["group_by"]): string | null {
	switch (groupBy) {
		case "day":
			return row.day;
		case "model":
			return row.modelCode;
		case "key":
			return row.apiKeyId;
	}
}

function describeGroup(
	group: string | null,
	groupBy: UsageQuery["group_by"],
	labels: ReadonlyMap<string, string>,
): Partial<UsageItem> {
	switch (groupBy) {
		case "day":
			return { day: group ?? undefined };
		case "model":
			return { model_code: group };
		case "key":
			return { api_key_id: group, api_key_label: labels.get(group ?? "") ?? null };
	}
}

function sum(rows: readonly Partial<UsageAmounts>[]): UsageAmounts {
	const total = { requests: 0, jobs: 0, runs: 0, audio_seconds: 0, characters: 0 };
	let cost: number | null = null;
	for (const row of rows) {
		for (const name of COUNTERS) total[name] += row[name] ?? 0;
		if (typeof row.cost === "number") cost = (cost ?? 0) + row.cost;
	}
	// Sums of thirds of seconds would show their binary tails, and so would sums of prices.
	return {
		...total,
		audio_seconds: Math.round(total.audio_seconds * 1000) / 1000,
		cost: cost === null ? null : Math.round(cost * MICRO_USD) / MICRO_USD,
	};
}
