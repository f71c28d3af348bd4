import type { UsageReport } from "@parley/contracts/platform/usage";
import { useQuery } from "@tanstack/react-query";
import { Failure } from "../ui/failure.tsx";
import { formatCompact, formatDay, formatLength, formatNumber } from "../ui/format.ts";
import { Section } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { usageQuery } from "./home-api.ts";
import { texts } from "./texts.ts";

/** What was used in thirty days: sums, minutes a day as bars, and the same figures as a table. */
export function Usage() {
	const usage = useQuery(usageQuery);
	if (usage.isError) return <Failure error={usage.error} onRetry={() => void usage.refetch()} />;
	if (!usage.data)
		return (
			<Section title={texts.usage}>
				<Skeleton className="h-64 w-full" />
			</Section>
		);
	const { total } = usage.data;
	const days = toDays(usage.data);
	const tiles = [
		[texts.tiles.audio, formatLength(total.audio_seconds)],
		[texts.tiles.jobs, formatNumber(total.jobs)],
		[texts.tiles.requests, formatCompact(total.requests)],
		[texts.tiles.runs, formatNumber(total.runs)],
	] as const;
	return (
		<Section title={texts.usage} actions={<span className="text-xs text-soft">{texts.usageHint}</span>}>
			<dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line shadow-edge sm:grid-cols-4">
				{tiles.map(([name, value]) => (
					<div key={name} className="bg-raised px-4 py-3">
						<dt className="text-xs text-soft">{name}</dt>
						<dd className="tabular mt-0.5 text-xl font-semibold tracking-tight">{value}</dd>
					</div>
				))}
			</dl>
			<Chart days={days} />
			<details className="mt-2 text-sm">
				<summary className="w-fit rounded-sm text-soft hover:text-ink">{texts.table}</summary>
				<section className="mt-2 max-h-80 overflow-y-auto" tabIndex={0} aria-label={texts.chartTitle}>
					<table className="w-full">
						<thead>
							<tr className="border-b border-line-strong text-left text-xs text-soft">
								<th scope="col" className="py-2 font-medium">
									{texts.day}
								</th>
								{Object.values(texts.tiles).map((name) => (
									<th key={name} scope="col" className="py-2 pl-3 text-right font-medium">
										{name}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{days.toReversed().map(({ day, audio_seconds, jobs, requests, runs }) => (
								<tr key={day} className="border-b border-line">
									<th scope="row" className="py-1.5 text-left font-normal">
										{formatDay(day)}
									</th>
									<td className="py-1.5 pl-3 text-right">{formatLength(audio_seconds)}</td>
									{[jobs, requests, runs].map((count, index) => (
										// biome-ignore lint/suspicious/noArrayIndexKey: the columns never move
										<td key={index} className="py-1.5 pl-3 text-right">
											{formatNumber(count)}
										</td>
									))}
								</tr>
							))}
						</tbody>
					</table>
				</section>
			</details>
		</Section>
	);
}

type Day = { day: string; audio_seconds: number; jobs: number; requests: number; runs: number };

const DAY_MS = 86_400_000;

/** Returns every day of the report, those without use too. */
export function toDays({ since, until, items }: UsageReport): Day[] {
	const byDay = new Map(items.map((item) => [item.day, item]));
	const days: Day[] = [];
	for (let at = Date.parse(since); at <= Date.parse(until); at += DAY_MS) {
		const day = new Date(at).toISOString().slice(0, 10);
		days.push({ audio_seconds: 0, jobs: 0, requests: 0, runs: 0, ...byDay.get(day), day });
	}
	return days;
}

const [WIDTH, HEIGHT] = [600, 120];

function Chart({ days }: { days: Day[] }) {
	const most = Math.max(...days.map(({ audio_seconds }) => audio_seconds));
	if (most === 0) return <p className="mt-4 text-sm text-soft">{texts.noUsage}</p>;
	const top = niceCeiling(most / 60) * 60;
	const step = WIDTH / days.length;
	const [first, middle, last] = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
	return (
		<figure className="mt-5 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-xs text-soft">
			<svg
				role="img"
				aria-label={texts.chart}
				viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
				preserveAspectRatio="none"
				className="h-36 w-full"
			>
				{[0, 0.5, 1].map((share) => (
					<line
						key={share}
						x1="0"
						x2={WIDTH}
						vectorEffect="non-scaling-stroke"
						y1={(1 - share) * HEIGHT}
						y2={(1 - share) * HEIGHT}
						className="stroke-line"
					/>
				))}
				{days.map(({ day, audio_seconds: seconds }, index) => {
					const height = seconds > 0 ? Math.max(1.5, (seconds / top) * HEIGHT) : 0;
					return (
						<g key={day}>
							<rect
								x={index * step}
								y="0"
								width={step}
								height={HEIGHT}
								className="fill-transparent hover:fill-hover"
							>
								<title>{`${formatDay(day)}: ${formatLength(seconds)}`}</title>
							</rect>
							<rect
								x={index * step + step * 0.16}
								y={HEIGHT - height}
								width={step * 0.68}
								height={height}
								className="pointer-events-none fill-lead"
							/>
						</g>
					);
				})}
			</svg>
			<div aria-hidden="true" className="tabular -my-2 flex flex-col justify-between text-right">
				{[top, top / 2, 0].map((seconds) => (
					<span key={seconds}>{formatLength(seconds)}</span>
				))}
			</div>
			<figcaption className="mt-2 flex justify-between">
				{[first, middle, last].map((one) => one && <span key={one.day}>{formatDay(one.day)}</span>)}
			</figcaption>
		</figure>
	);
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
export function niceCeiling(value: number): number {
	const power = 10 ** Math.floor(Math.log10(value));
	return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
