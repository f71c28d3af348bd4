import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { findHits, type Hit } from "../job/transcript/find.ts";
import type { Paragraph } from "../job/transcript/paragraphs.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { Checkbox, Input } from "../ui/controls/field.tsx";
import { icons } from "../ui/icons.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { texts } from "./texts.ts";

const t = texts.find;

type Props = {
	/** Paragraphs with the text as it is now. */
	paragraphs: readonly Paragraph[];
	onHits: (hits: readonly Hit[], hit: Hit | undefined) => void;
	onReplace: (changes: Map<number, string>) => void;
	onClose: () => void;
};

/** Finds words in the text as it is now and replaces one or all of them. */
export function FindReplace({ paragraphs, onHits, onReplace, onClose }: Props) {
	const [find, setFind] = useState("");
	const [replacement, setReplacement] = useState("");
	const [isExact, setExact] = useState(false);
	const [at, setAt] = useState(0);
	const field = useRef<HTMLDivElement>(null);
	const hits = useMemo(() => findHits(paragraphs, find, isExact), [paragraphs, find, isExact]);
	const hit = hits[Math.min(at, hits.length - 1)];
	useEffect(() => onHits(hits, hit), [hits, hit, onHits]);
	useEffect(() => () => onHits([], undefined), [onHits]);
	useEffect(() => field.current?.querySelector("input")?.focus(), []);

	const step = (by: 1 | -1) => setAt((at + by + hits.length) % Math.max(1, hits.length));
	const replace = (replaced: readonly Hit[]) => {
		const changes = new Map<number, string>();
		for (const { paragraph, from, to } of replaced.toReversed()) {
			const text = changes.get(paragraph) ?? paragraphs[paragraph]?.text ?? "";
			changes.set(paragraph, text.slice(0, from) + replacement + text.slice(to));
		}
		onReplace(changes);
		if (replaced.length > 1) toast(t.replaced(replaced.length));
	};
	const press = (event: KeyboardEvent) => {
		if (event.key === "Escape") onClose();
		else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
		else return;
		event.preventDefault();
	};
	return (
		<search
			aria-label={texts.findReplace}
			className="mt-2 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised p-2 shadow-edge"
		>
			<div ref={field} className="w-48 max-sm:w-full">
				<Input
					label={t.find}
					isLabelHidden
					placeholder={t.find}
					size="small"
					value={find}
					onChange={({ target }) => {
						setFind(target.value);
						setAt(0);
					}}
					onKeyDown={press}
				/>
			</div>
			<div className="w-48 max-sm:w-full">
				<Input
					label={t.replace}
					isLabelHidden
					placeholder={t.replace}
					size="small"
					value={replacement}
					onChange={({ target }) => setReplacement(target.value)}
					onKeyDown={press}
				/>
			</div>
			<Checkbox label={t.matchCase} checked={isExact} onChange={({ target }) => setExact(target.checked)} />
			<span role="status" className="tabular min-w-16 text-xs text-soft">
				{find && (hits.length > 0 ? t.count(Math.min(at, hits.length - 1) + 1, hits.length) : t.none)}
			</span>
			<div className="ml-auto flex items-center gap-1">
				<IconButton
					label={t.previous}
					icon={icons.up}
					size="icon-small"
					onClick={() => step(-1)}
					disabled={!hit}
				/>
				<IconButton
					label={t.next}
					icon={icons.down}
					size="icon-small"
					onClick={() => step(1)}
					disabled={!hit}
				/>
				<Button size="small" disabled={!hit} onClick={() => hit && replace([hit])}>
					{t.one}
				</Button>
				<Button size="small" disabled={!hit} onClick={() => replace(hits)}>
					{t.all}
				</Button>
				<IconButton label={t.close} icon={icons.close} size="icon-small" onClick={onClose} />
			</div>
		</search>
	);
}
