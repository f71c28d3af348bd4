import type { UsageReport } from "@parley/contracts/platform/usage";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCommands } from "../frame/commands.ts";
import { Button, ButtonLink } from "../ui/controls/button.tsx";
import { Input, Select } from "../ui/controls/field.tsx";
import { Tabs } from "../ui/controls/tabs.tsx";
import { BarChart, RankChart } from "../ui/data/bar-chart.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { toCsv } from "../ui/files/csv.ts";
import { saveFile } from "../ui/files/save-file.ts";
import { icons } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import {
	CSV_HEADER,
	csvCells,
	csvName,
	formatMetric,
	formatTick,
	isUsed,
	type Line,
	metricOf,
	ticksFor,
	toLines,
} from "./amounts.ts";
import { type Days, daysOf, formatDays } from "./days.ts";
import { MetricTiles } from "./metric-tiles.tsx";
import { texts } from "./texts.ts";
import { usageQuery } from "./usage-api.ts";
import { type Group, METRICS, type Metric, type Range, type UsageSearch } from "./usage-search.ts";

const route = getRouteApi("/shell/usage");
const MAX_RANKED = 10;

export function UsagePage() {
	const search = route.useSearch();
	const navigate = useNavigate({ from: "/usage" });
	const { by = "day", metric = "minutes" } = search;
	const days = daysOf(search, Date.now());
	const usage = useQuery(usageQuery(days, by));
	const set = (change: Partial<UsageSearch>) =>
		void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
	const report = usage.data;
	const save = () => report && saveFile(csvOf(report, by), csvName(by, days));
	useCommands(report ? [{ label: texts.csv, icon: "download", run: save }] : []);
	return (
		<>
			<PageHeader
				title={texts.title}
				description={texts.description(formatDays(days))}
				actions={
					<>
						<RangePicker search={search} days={days} onChange={set} />
						<Button onClick={save} disabled={!report || report.items.length === 0}>
							{icons.download}
							{texts.csv}
						</Button>
					</>
				}
			/>
			{usage.isError && <Failure error={usage.error} onRetry={() => void usage.refetch()} />}
			{!usage.isError && (
				<>
					<MetricTiles
						days={days}
						total={report?.total}
						metric={metric}
						onChoose={(one) => set({ metric: one })}
					/>
					<Tabs
						label={texts.groupList}
						tabs={(["day", "model", "key"] as const).map((id) => ({ id, label: texts.groups[id] }))}
						current={by}
						onChange={(group) => set({ by: group })}
					>
						{report && !isUsed(report.total) ? (
							<Nothing onLonger={search.range === "90d" ? undefined : () => set({ range: "90d" })} />
						) : (
							<Lines report={report} by={by} metric={metric} isStale={usage.isPlaceholderData} />
						)}
					</Tabs>
				</>
			)}
		</>
	);
}

const Nothing = ({ onLonger }: { onLonger: (() => void) | undefined }) => (
	<EmptyState
		icon={icons.usage}
		title={texts.emptyTitle}
		action={
			<>
				{onLonger && <Button onClick={onLonger}>{texts.longer}</Button>}
				<ButtonLink to="/jobs" look="lead">
					{texts.toJobs}
				</ButtonLink>
			</>
		}
	>
		{texts.empty}
	</EmptyState>
);

type PickerProps = { search: UsageSearch; days: Days; onChange: (change: Partial<UsageSearch>) => void };

function RangePicker({ search: { range = "30d" }, days, onChange }: PickerProps) {
	const today = new Date().toISOString().slice(0, 10);
	const choose = (next: Range) =>
		onChange(
			next === "custom" ? { range: next, ...days } : { range: next, since: undefined, until: undefined },
		);
	return (
		<>
			{range === "custom" && (
				<div className="flex items-center gap-2">
					<Input
						label={texts.since}
						isLabelHidden
						type="date"
						max={days.until}
						value={days.since}
						onChange={({ target }) => target.value && onChange({ since: target.value })}
					/>
					<Input
						label={texts.until}
						isLabelHidden
						type="date"
						min={days.since}
						max={today}
						value={days.until}
						onChange={({ target }) => target.value && onChange({ until: target.value })}
					/>
				</div>
			)}
			<div className="w-38">
				<Select
					label={texts.range}
					isLabelHidden
					options={texts.ranges}
					value={range}
					onChange={({ target }) => choose(target.value as Range)}
				/>
			</div>
		</>
	);
}

type LinesProps = { report: UsageReport | undefined; by: Group; metric: Metric; isStale: boolean };

/** The chart of one metric, and a table with all of them. */
function Lines({ report, by, metric, isStale }: LinesProps) {
	const lines = report?.group_by === by ? toLines(report, metric) : undefined;
	return (
		<div className="space-y-7">
			{lines ? <Chart lines={lines} by={by} metric={metric} /> : <Skeleton className="h-64 w-full" />}
			<DataTable
				label={texts.groups[by]}
				columns={columnsOf(by)}
				rows={lines && (by === "day" ? lines.toReversed() : lines)}
				rowId={({ id }) => id}
				rowName={({ name }) => name}
				isStale={isStale}
				empty={null}
			/>
		</div>
	);
}

function Chart({ lines, by, metric }: { lines: Line[]; by: Group; metric: Metric }) {
	const bars = lines.map(({ id, name, amounts }) => {
		const value = metricOf(amounts, metric);
		return { id, label: name, value: value ?? 0, text: formatMetric(value, metric) };
	});
	const title = texts.chartTitles[metric];
	const highest = bars.reduce<(typeof bars)[number] | undefined>(
		(best, bar) => (bar.value > (best?.value ?? 0) ? bar : best),
		undefined,
	);
	const label = highest
		? texts.chart(title, texts.groups[by].toLowerCase(), `${highest.label}, ${highest.text}`)
		: texts.chartEmpty(title);
	if (by !== "day") return <RankChart label={label} title={title} bars={bars.slice(0, MAX_RANKED)} />;
	const isWhole = metric !== "minutes" && metric !== "cost";
	const ticks = ticksFor(highest?.value ?? 0, isWhole).map((value) => ({
		value,
		text: formatTick(value, metric),
	}));
	return <BarChart label={label} title={title} bars={bars} ticks={ticks} />;
}

const columnsOf = (by: Group): Column<Line>[] => [
	{
		...{ id: by, header: texts.columns[by] },
		cell: ({ name }) => <span className={by === "day" ? "tabular" : undefined}>{name}</span>,
	},
	...METRICS.map((metric): Column<Line> => {
		const from = ({ runs: "lg", jobs: "md", requests: "sm" } as const)[metric as "runs"];
		return {
			...{ id: metric, header: texts.metrics[metric], isNumeric: true, width: "w-28 max-sm:w-24" },
			...(from && { from }),
			cell: ({ amounts }) => {
				const value = metricOf(amounts, metric);
				return (
					<span className={value ? undefined : "text-soft"}>
						{value === 0 ? "0" : formatMetric(value, metric)}
					</span>
				);
			},
		};
	}),
];

function csvOf(report: UsageReport, by: Group): Blob {
	const identity = { day: ["day"], model: ["model"], key: ["key_id", "key"] }[by];
	return toCsv(
		[...identity, ...CSV_HEADER],
		report.items.map((item) => [
			...{
				day: [item.day ?? ""],
				model: [item.model_code ?? ""],
				key: [item.api_key_id ?? "", item.api_key_label ?? ""],
			}[by],
			...csvCells(item),
		]),
	);
}
