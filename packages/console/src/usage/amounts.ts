import type { UsageItem, UsageReport } from "@parley/contracts/platform/usage";
import { formatDay, formatLength, formatNumber } from "../ui/format.ts";
import { type Days, listDays } from "./days.ts";
import { texts } from "./texts.ts";
import type { Group, Metric } from "./usage-search.ts";

type Amounts = UsageReport["total"];

const dollars = new Intl.NumberFormat(undefined, {
	style: "currency",
	currency: "USD",
	currencyDisplay: "narrowSymbol",
});
const CENT = 0.01;
const short = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Returns the value of a metric as a chart draws it; null for a cost that is not known. */
export function metricOf(amounts: Amounts, metric: Metric): number | null {
	return metric === "minutes" ? amounts.audio_seconds / 60 : amounts[metric];
}

export function formatMetric(value: number | null, metric: Metric): string {
	if (value === null) return "–";
	if (metric === "minutes") return formatLength(value * 60);
	if (metric === "cost")
		return value > 0 && value < CENT ? `< ${dollars.format(CENT)}` : dollars.format(value);
	return formatNumber(value);
}

/** Formats a value at an axis, whose title names the unit. */
export const formatTick = (value: number, metric: Metric): string =>
	metric === "cost" ? formatMetric(value, metric) : short.format(value);

/** One line of a report: a day, a model or a key. */
export type Line = { id: string; name: string; amounts: Amounts };

const NOTHING: Amounts = { requests: 0, jobs: 0, runs: 0, audio_seconds: 0, characters: 0, cost: null };

/** Lists the lines of a report: every day in order, or models and keys with the highest first. */
export function toLines(report: UsageReport, metric: Metric): Line[] {
	if (report.group_by === "day") {
		const byDay = new Map(report.items.map((item) => [item.day, item]));
		return listDays(report).map((day) => ({
			...{ id: day, name: formatDay(day) },
			amounts: byDay.get(day) ?? NOTHING,
		}));
	}
	const lines = report.items.map((item) => toLine(item, report.group_by));
	return lines.sort((a, b) => (metricOf(b.amounts, metric) ?? 0) - (metricOf(a.amounts, metric) ?? 0));
}

function toLine(item: UsageItem, group: Exclude<Group, "day"> | "day"): Line {
	if (group === "model")
		return { id: item.model_code ?? "", name: item.model_code ?? texts.noModel, amounts: item };
	if (!item.api_key_id) return { id: "", name: texts.people, amounts: item };
	return { id: item.api_key_id, name: item.api_key_label ?? texts.goneKey, amounts: item };
}

/** Whether anything was used. */
export const isUsed = ({ requests, jobs, runs, audio_seconds, characters }: Amounts): boolean =>
	requests + jobs + runs + audio_seconds + characters > 0;

/** Returns round values from 0 to one that no bar exceeds, three to six of them. */
export function ticksFor(highest: number, isWhole: boolean): number[] {
	if (highest <= 0) return [0, 1];
	const rough = highest / 4;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
	const size = isWhole ? Math.max(1, Math.round(step)) : step;
	const count = Math.ceil(highest / size - 1e-9);
	return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(12)));
}

export const csvName = (group: Group, { since, until }: Days): string =>
	`usage-by-${group}-${since}-to-${until}.csv`;

export const CSV_HEADER = ["requests", "jobs", "runs", "audio_seconds", "characters", "cost_usd"];
export const csvCells = (a: Amounts): (number | null)[] => [
	...[a.requests, a.jobs, a.runs, a.audio_seconds, a.characters, a.cost],
];
