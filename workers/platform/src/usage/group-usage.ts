import type { UsageItem, UsageQuery, UsageReport } from "@parley/contracts/platform/usage";

export type UsageAmounts = UsageReport["total"];

/** Use on a day, by a key, of a model; null where there was none. */
export type UsageRow = {
	day: string;
	modelCode: string | null;
	apiKeyId: string | null;
} & Partial<UsageAmounts>;

const NOTHING: UsageAmounts = { requests: 0, jobs: 0, runs: 0, audio_seconds: 0, characters: 0 };

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
	const total = { ...NOTHING };
	for (const row of rows) {
		for (const name of Object.keys(NOTHING) as (keyof UsageAmounts)[]) total[name] += row[name] ?? 0;
	}
	// Sums of thirds of seconds would show their binary tails.
	return { ...total, audio_seconds: Math.round(total.audio_seconds * 1000) / 1000 };
}
