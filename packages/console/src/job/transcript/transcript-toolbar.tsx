import { type KeyboardEvent, type RefObject, useId } from "react";
import { IconButton } from "../../ui/controls/button.tsx";
import { formatPercent } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import { texts } from "../texts.ts";

const t = texts.transcript;

type Props = {
	find: string;
	onFind: (text: string) => void;
	field: RefObject<HTMLInputElement | null>;
	hitCount: number;
	/** Which of them the reader is at, from 0. */
	hitAt: number;
	onStep: (step: 1 | -1) => void;
	/** Absent when the engine reports no confidence. */
	unsure:
		| { threshold: number; count: number; onThreshold: (threshold: number) => void; onNext: () => void }
		| undefined;
};

/** Search inside the transcript, and how sure the engine was. */
export function TranscriptToolbar({ find, onFind, field, hitCount, hitAt, onStep, unsure }: Props) {
	const id = useId();
	const press = (event: KeyboardEvent) => {
		if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
		else if (event.key === "Escape") {
			onFind("");
			field.current?.blur();
		} else return;
		event.preventDefault();
	};
	return (
		<div className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-2">
			<div className="flex min-w-0 grow items-center gap-1 sm:max-w-sm">
				<div className="relative min-w-0 grow">
					<span className="pointer-events-none absolute inset-y-0 left-2 flex items-center text-soft">
						{icons.search}
					</span>
					<input
						ref={field}
						type="search"
						aria-label={t.find}
						placeholder={t.find}
						value={find}
						onChange={({ target }) => onFind(target.value)}
						onKeyDown={press}
						className="h-8 w-full rounded-md border border-edge bg-raised pr-20 pl-8 text-sm placeholder:text-soft [&::-webkit-search-cancel-button]:hidden"
					/>
					<span
						role="status"
						className="tabular pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-xs text-soft"
					>
						{find.trim() && (hitCount > 0 ? t.findHits(hitAt + 1, hitCount) : t.noHits)}
					</span>
				</div>
				{hitCount > 0 && (
					<>
						<IconButton label={t.previousHit} icon={icons.up} size="icon-small" onClick={() => onStep(-1)} />
						<IconButton label={t.nextHit} icon={icons.down} size="icon-small" onClick={() => onStep(1)} />
					</>
				)}
			</div>
			{unsure && (
				<div className="flex flex-wrap items-center gap-2 text-sm text-soft">
					<label htmlFor={id} title={t.confidenceHint} className="whitespace-nowrap">
						{t.confidence}
					</label>
					<input
						id={id}
						type="range"
						min={0}
						max={100}
						step={5}
						value={Math.round(unsure.threshold * 100)}
						aria-valuetext={`${t.threshold} ${formatPercent(unsure.threshold)}`}
						onChange={({ target }) => unsure.onThreshold(Number(target.value) / 100)}
						className="h-6 w-16 cursor-pointer sm:w-24 accent-lead"
					/>
					<span className="tabular w-10 text-xs">{formatPercent(unsure.threshold)}</span>
					<button
						type="button"
						title={`${t.nextUnsure} (N)`}
						disabled={unsure.count === 0}
						onClick={unsure.onNext}
						className="tabular cursor-pointer rounded-full bg-warn-wash px-2 py-0.5 text-xs font-medium whitespace-nowrap text-warn disabled:cursor-default disabled:bg-sunken disabled:text-soft"
					>
						{t.unsure(unsure.count)}
					</button>
				</div>
			)}
		</div>
	);
}
