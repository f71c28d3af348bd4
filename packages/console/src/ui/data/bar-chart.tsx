import { useState } from "react";
import { classes } from "../classes.ts";

export type Bar = { id: string; label: string; value: number; text: string };

type Props = {
	/** What the chart shows, in a sentence. The same numbers must be in a table beside it. */
	label: string;
	title: string;
	bars: Bar[];
	/** Values at the axis from 0 to the top. */
	ticks: { value: number; text: string }[];
};

const MAX_LABELS = 7;
const WIDTH = 10;
/** Bars up to this number are slim, so that a week is not a wall. */
const FEW = 12;

/** Upright bars, one a day. Pointing at one shows its value. */
export function BarChart({ label, title, bars, ticks }: Props) {
	const [pointed, setPointed] = useState<number>();
	const top = ticks.at(-1)?.value ?? 1;
	const width = bars.length * WIDTH;
	const gap = bars.length <= FEW ? 5.5 : 2.5;
	const every = Math.ceil(bars.length / MAX_LABELS);
	const shown = pointed === undefined ? undefined : bars[pointed];
	return (
		<figure>
			<figcaption className="flex items-baseline gap-4 text-sm">
				<span className="grow font-semibold">{title}</span>
				<span className="tabular text-soft" aria-hidden="true">
					{shown && (
						<>
							{shown.label} <span className="font-medium text-ink">{shown.text}</span>
						</>
					)}
				</span>
			</figcaption>
			<div className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 text-xs text-soft">
				<div className="relative h-48 min-w-8" aria-hidden="true">
					{/* The widest one gives the column its width. */}
					<span className="tabular invisible">{ticks.at(-1)?.text}</span>
					{ticks.map(({ value, text }) => (
						<span
							key={value}
							className="tabular absolute right-0 -translate-y-1/2"
							style={{ top: `${100 - (value / top) * 100}%` }}
						>
							{text}
						</span>
					))}
				</div>
				<svg
					role="img"
					aria-label={label}
					viewBox={`0 0 ${width} 100`}
					preserveAspectRatio="none"
					className="h-48 w-full overflow-visible"
					onPointerLeave={() => setPointed(undefined)}
				>
					{ticks.map(({ value }) => (
						<line
							key={value}
							x1="0"
							x2={width}
							y1={100 - (value / top) * 100}
							y2={100 - (value / top) * 100}
							vectorEffect="non-scaling-stroke"
							className={value === 0 ? "stroke-line-strong" : "stroke-line"}
						/>
					))}
					{bars.map(({ id, value }, index) => (
						<g key={id}>
							<rect
								x={index * WIDTH + gap / 2}
								width={WIDTH - gap}
								y={100 - (value / top) * 100}
								height={(value / top) * 100}
								className={classes(
									"transition-opacity",
									pointed !== undefined && pointed !== index ? "fill-lead/45" : "fill-lead",
								)}
							/>
							<rect
								x={index * WIDTH}
								width={WIDTH}
								y="0"
								height="100"
								className="fill-transparent"
								onPointerEnter={() => setPointed(index)}
							/>
						</g>
					))}
				</svg>
				<div className="relative col-start-2 mt-1.5 h-4" aria-hidden="true">
					{bars.map(
						({ id, label: text }, index) =>
							index % every === 0 && (
								<span
									key={id}
									className="tabular absolute -translate-x-1/2 whitespace-nowrap"
									style={{ left: `${((index + 0.5) / bars.length) * 100}%` }}
								>
									{text}
								</span>
							),
					)}
				</div>
			</div>
		</figure>
	);
}

/** Lying bars with their names, the highest first. */
export function RankChart({ label, title, bars }: Omit<Props, "ticks">) {
	const top = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
	return (
		<figure>
			<figcaption className="mb-4 text-sm font-semibold">{title}</figcaption>
			<div
				role="img"
				aria-label={label}
				className="grid grid-cols-[minmax(0,7rem)_minmax(0,1fr)_auto] sm:grid-cols-[minmax(6rem,14rem)_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2 text-sm"
			>
				{bars.map(({ id, label: name, value, text }) => (
					<div key={id} className="contents">
						<span className="truncate text-soft" title={name}>
							{name}
						</span>
						<svg viewBox="0 0 100 4" preserveAspectRatio="none" className="h-4 w-full" aria-hidden="true">
							<rect width={Math.max(0.4, (value / top) * 100)} height="4" className="fill-lead" />
						</svg>
						<span className="tabular text-right">{text}</span>
					</div>
				))}
			</div>
		</figure>
	);
}
