import type { RemovedWord } from "@parley/contracts/batch/transcript";
import { useState } from "react";
import type { Reading, Word } from "../job/transcript/paragraphs.ts";
import { classes } from "../ui/classes.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { formatPercent } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { texts } from "./texts.ts";

const t = texts.reviewing;
const THRESHOLDS = [0.3, 0.5, 0.7, 0.9];

type Props = {
	reading: Reading;
	removed: readonly RemovedWord[];
	onWord: (word: Word, paragraph: number) => void;
	onRemoved: (word: RemovedWord) => void;
	onInsert: (word: RemovedWord) => void;
	onClose: () => void;
};

/** Leads from one doubtful word to the next: those the engine was unsure of, and those that were removed. */
export function ReviewBar({ reading, removed, onWord, onRemoved, onInsert, onClose }: Props) {
	const [kind, setKind] = useState<"unsure" | "removed">("unsure");
	const [threshold, setThreshold] = useState(0.5);
	const [at, setAt] = useState(-1);
	const unsure = reading.paragraphs.flatMap(({ words }, paragraph) =>
		words
			.filter(({ confidence }) => confidence !== null && confidence < threshold)
			.map((word) => ({ word, paragraph })),
	);
	const count = kind === "unsure" ? unsure.length : removed.length;
	const step = (by: 1 | -1) => {
		if (count === 0) return;
		const next = (Math.max(at, by === 1 ? -1 : 0) + by + count) % count;
		setAt(next);
		const doubtful = unsure[next];
		const gone = removed[next];
		if (kind === "unsure" && doubtful) onWord(doubtful.word, doubtful.paragraph);
		if (kind === "removed" && gone) onRemoved(gone);
	};
	const choose = (chosen: typeof kind) => {
		setKind(chosen);
		setAt(-1);
	};
	useShortcuts([
		{ keys: "f8", label: t.next, group: texts.review, isGlobal: true, run: () => step(1) },
		{ keys: "shift+f8", label: t.previous, group: texts.review, isGlobal: true, run: () => step(-1) },
	]);
	const word = unsure[at]?.word;
	const gone = removed[at];
	return (
		<section
			aria-label={texts.review}
			className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised p-2 text-sm shadow-edge"
		>
			<fieldset className="flex rounded-md bg-sunken p-0.5">
				<legend className="sr-only">{texts.review}</legend>
				{(["unsure", "removed"] as const).map((one) => (
					<button
						key={one}
						type="button"
						aria-pressed={kind === one}
						onClick={() => choose(one)}
						className={classes(
							"h-6 cursor-pointer rounded-sm px-2 text-xs font-medium",
							kind === one ? "bg-raised text-ink shadow-edge" : "text-soft hover:text-ink",
						)}
					>
						{one === "unsure" ? t.unsureTab : t.removedTab}{" "}
						{one === "unsure" ? unsure.length : removed.length}
					</button>
				))}
			</fieldset>
			{kind === "unsure" && (
				<label className="flex items-center gap-1.5 text-xs text-soft">
					{t.below}
					<select
						value={threshold}
						onChange={({ target }) => {
							setThreshold(Number(target.value));
							setAt(-1);
						}}
						className="h-6 rounded-sm border border-edge bg-raised px-1 text-ink"
					>
						{THRESHOLDS.map((share) => (
							<option key={share} value={share}>
								{formatPercent(share)}
							</option>
						))}
					</select>
				</label>
			)}
			<span role="status" className="tabular min-w-0 grow truncate text-soft">
				{count === 0 && t.none}
				{kind === "unsure" && word && t.unsure(at + 1, count, word.confidence ?? 0)}
				{kind === "removed" && gone && (
					<>
						{t.removed(at + 1, count)}: <s className="text-bad">{gone.content}</s>
					</>
				)}
			</span>
			<div className="flex items-center gap-1">
				{kind === "removed" && gone && (
					<Button size="small" onClick={() => onInsert(gone)}>
						{t.insert}
					</Button>
				)}
				<IconButton
					label={t.previous}
					shortcut="Shift+F8"
					icon={icons.up}
					size="icon-small"
					disabled={count === 0}
					onClick={() => step(-1)}
				/>
				<IconButton
					label={t.next}
					shortcut="F8"
					icon={icons.down}
					size="icon-small"
					disabled={count === 0}
					onClick={() => step(1)}
				/>
				<IconButton label={t.close} icon={icons.close} size="icon-small" onClick={onClose} />
			</div>
		</section>
	);
}
