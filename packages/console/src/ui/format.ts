const numbers = new Intl.NumberFormat();
const percents = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const datesToSecond = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const daysOnly = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
const lists = new Intl.ListFormat(undefined, { type: "conjunction" });

export const formatNumber = (value: number): string => numbers.format(value);
export const formatCompact = (value: number): string => compact.format(value);
export const formatPercent = (share: number): string => percents.format(share);
export const formatList = (items: string[]): string => lists.format(items);
export const formatDate = (time: string): string => dates.format(new Date(time));
export const formatDateSeconds = (time: string): string => datesToSecond.format(new Date(time));
export const formatUtc = (time: string): string => `${time.slice(0, 19).replace("T", " ")} UTC`;
/** Formats a day given as `2026-11-20`. */
export const formatDay = (day: string): string => daysOnly.format(new Date(`${day}T00:00:00Z`));
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
	`${formatNumber(count)} ${count === 1 ? one : many}`;

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export function formatBytes(bytes: number): string {
	const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
	const value = bytes / 1000 ** power;
	return new Intl.NumberFormat(undefined, {
		style: "unit",
		unit: UNITS[power] ?? "byte",
		unitDisplay: power === 0 ? "long" : "short",
		maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
	}).format(value);
}

/** Formats a length or a position: `0:07`, `12:30`, `1:02:03`. */
export function formatClock(seconds: number): string {
	const whole = Math.max(0, Math.floor(seconds));
	const pad = (n: number) => String(n).padStart(2, "0");
	const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
	return h > 0 ? `${h}:${pad(m)}:${pad(s)}` : `${m}:${pad(s)}`;
}

/** Formats a length as people say it: `45 s`, `12 min`, `3 h 20 min`. */
export function formatLength(seconds: number): string {
	if (seconds < 60) return `${Math.round(seconds)} s`;
	const minutes = Math.round(seconds / 60);
	if (minutes < 60) return `${minutes} min`;
	const rest = minutes % 60;
	return `${formatNumber(Math.floor(minutes / 60))} h${rest > 0 ? ` ${rest} min` : ""}`;
}

const STEPS: [limit: number, size: number, unit: Intl.RelativeTimeFormatUnit][] = [
	[60, 1, "second"],
	[3600, 60, "minute"],
	[86_400, 3600, "hour"],
	[7 * 86_400, 86_400, "day"],
];

/** A server's clock may be this far ahead of the viewer's. */
const MAX_SKEW_S = 30;

/** Formats a time as a distance from now, up to a week; undefined beyond that. */
export function formatDistance(time: string, now: number): string | undefined {
	const seconds = (Date.parse(time) - now) / 1000;
	if (seconds > -10 && seconds < MAX_SKEW_S) return "now";
	const step = STEPS.find(([limit]) => Math.abs(seconds) < limit);
	return step && relative.format(Math.trunc(seconds / step[1]), step[2]);
}
