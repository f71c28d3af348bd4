// Unsaved text survives a reload of the tab. It is in the tab's own storage, which ends with the tab.
import type { Draft } from "./draft.ts";

const keyOf = (jobId: string, revision: number): string => `parley:draft:${jobId}:${revision}`;

export function keepDraft(jobId: string, revision: number, draft: Draft): void {
	try {
		if (draft.size === 0) sessionStorage.removeItem(keyOf(jobId, revision));
		else sessionStorage.setItem(keyOf(jobId, revision), JSON.stringify([...draft]));
	} catch {
		// The storage is full or closed: the page still holds the draft.
	}
}

export function keptDraft(jobId: string, revision: number): Draft | undefined {
	try {
		const kept = sessionStorage.getItem(keyOf(jobId, revision));
		return kept ? new Map(JSON.parse(kept) as [number, string][]) : undefined;
	} catch {
		return undefined;
	}
}
