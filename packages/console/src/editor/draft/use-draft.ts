import { useCallback, useEffect, useRef, useState } from "react";
import type { Paragraph, Reading } from "../../job/transcript/paragraphs.ts";
import { toast } from "../../ui/overlays/toast.tsx";
import { setCaret } from "../paragraph-editor.tsx";
import { texts } from "../texts.ts";
import { changedBetween, type Draft, type History, NO_HISTORY, redo, undo, write } from "./draft.ts";
import { keepDraft, keptDraft } from "./kept-draft.ts";

const KEEP_AFTER_MS = 400;

/** Holds what was changed and not saved, with undo. It survives a reload of the tab. */
export function useDraft(jobId: string, revision: number, reading: Reading) {
	const [history, setHistory] = useState<History>(() => {
		const kept = keptDraft(jobId, revision);
		return kept ? { ...NO_HISTORY, present: kept } : NO_HISTORY;
	});
	const latest = useRef(history);
	latest.current = history;
	const paragraphs = useRef<readonly Paragraph[]>(reading.paragraphs);
	paragraphs.current = reading.paragraphs;
	const hasRestored = useRef(history.present.size > 0);

	useEffect(() => {
		if (hasRestored.current) toast(texts.restored);
		hasRestored.current = false;
	}, []);
	useEffect(() => {
		const timer = setTimeout(() => keepDraft(jobId, revision, history.present), KEEP_AFTER_MS);
		const keep = () => keepDraft(jobId, revision, latest.current.present);
		window.addEventListener("pagehide", keep);
		return () => {
			clearTimeout(timer);
			window.removeEventListener("pagehide", keep);
		};
	}, [jobId, revision, history]);

	const change = useCallback((next: History) => {
		latest.current = next;
		setHistory(next);
	}, []);
	const writeAll = useCallback(
		(changes: ReadonlyMap<number, string>) => change(write(latest.current, paragraphs.current, changes)),
		[change],
	);
	const type = useCallback(
		(place: number, text: string) =>
			change(write(latest.current, paragraphs.current, new Map([[place, text]]), Date.now())),
		[change],
	);
	const travel = useCallback(
		(move: (history: History) => History) => {
			const before = latest.current.present;
			const next = move(latest.current);
			change(next);
			const [place] = changedBetween(before, next.present);
			if (place === undefined) return;
			requestAnimationFrame(() => {
				const element = document.querySelector<HTMLElement>(`[data-p="${place}"]`);
				if (!element) return;
				element.scrollIntoView({ block: "nearest" });
				setCaret(element, element.textContent?.length ?? 0);
			});
		},
		[change],
	);
	/** Begins anew on another revision. */
	const reset = useCallback(
		(draft: Draft) => {
			keepDraft(jobId, revision, new Map());
			change({ ...NO_HISTORY, present: draft });
		},
		[jobId, revision, change],
	);
	return {
		draft: history.present,
		canUndo: history.past.length > 0,
		canRedo: history.future.length > 0,
		type,
		writeAll,
		undo: useCallback(() => travel(undo), [travel]),
		redo: useCallback(() => travel(redo), [travel]),
		reset,
	};
}
