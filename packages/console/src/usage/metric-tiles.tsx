import type { UsageReport } from "@parley/contracts/platform/usage";
import { useQuery } from "@tanstack/react-query";
import { classes } from "../ui/classes.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { formatMetric, metricOf } from "./amounts.ts";
import { countDays, type Days, daysBefore } from "./days.ts";
import { texts } from "./texts.ts";
import { usageQuery } from "./usage-api.ts";
import { METRICS, type Metric } from "./usage-search.ts";

const percents = new Intl.NumberFormat(undefined, {
	...({ style: "percent", signDisplay: "exceptZero", maximumFractionDigits: 0 } as const),
});

type Props = {
	days: Days;
	total: UsageReport["total"] | undefined;
	metric: Metric;
	onChoose: (metric: Metric) => void;
};

/** The sum of each metric and how it compares with the days before. A press shows that metric in the chart. */
export function MetricTiles({ days, total, metric, onChoose }: Props) {
	const before = useQuery(usageQuery(daysBefore(days), "day"));
	const earlier = before.isPlaceholderData ? undefined : before.data?.total;
	return (
		<fieldset className="mb-6 grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-raised shadow-edge sm:grid-cols-3 lg:grid-cols-5">
			<legend className="sr-only">{texts.title}</legend>
			{METRICS.map((one) => {
				const value = total && metricOf(total, one);
				return (
					<button
						key={one}
						type="button"
						aria-pressed={one === metric}
						onClick={() => onChoose(one)}
						className={classes(
							"-mr-px -mb-px cursor-pointer border-r border-b border-line px-4 pt-3 pb-3.5 text-left transition-colors -outline-offset-2 hover:bg-hover",
							one === metric && "bg-lead-wash hover:bg-lead-wash",
							one === "cost" && "max-sm:col-span-2 sm:max-lg:col-span-2",
						)}
					>
						<span
							className={classes("block text-xs font-medium", one === metric ? "text-lead" : "text-soft")}
						>
							{texts.metrics[one]}
						</span>
						<span className="tabular mt-1 block h-8 truncate text-xl font-semibold tracking-tight">
							{value === undefined ? <Skeleton className="mt-1.5 h-5 w-16" /> : formatMetric(value, one)}
						</span>
						<span className="block h-4 truncate text-xs text-soft">
							{value === null ? (
								texts.noPrice
							) : (
								<Change value={value} earlier={earlier} metric={one} days={days} />
							)}
						</span>
					</button>
				);
			})}
		</fieldset>
	);
}

type ChangeProps = {
	value: number | undefined;
	earlier: UsageReport["total"] | undefined;
	metric: Metric;
	days: Days;
};

/** How a sum compares with that of as many days before. */
function Change({ value, earlier, metric, days }: ChangeProps) {
	const before = earlier && metricOf(earlier, metric);
	if (!value || before === undefined || before === null) return null;
	if (before === 0) return texts.noneBefore;
	return (
		<>
			{percents.format(value / before - 1)}
			<span className="max-sm:hidden"> {texts.before(countDays(days))}</span>
		</>
	);
}
