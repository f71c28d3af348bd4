import type { Job } from "@parley/contracts/batch/jobs";
import type { Revision, UpdateSpeakers } from "@parley/contracts/batch/revisions";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { isStatus } from "../api/failures.ts";
import { fetchLatestRevision, latestRevisionQuery, transcriptQuery } from "../job/job-api.ts";
import { type Reading, toReading } from "../job/transcript/paragraphs.ts";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { type Draft, toEdits } from "./draft/draft.ts";
import { type Merge, mergeDraft } from "./draft/merge.ts";
import { createRevision, updateSpeakers } from "./editor-api.ts";
import { texts } from "./texts.ts";

export type Pending = { latest: Revision; merge: Merge };

/**
 * Saves what was changed as a new revision. When somebody else has saved meanwhile, it works out what can be merged and leaves
 * the rest to the reader.
 */
export function useSave(job: Job, revision: Revision, reading: Reading, reset: (draft: Draft) => void) {
	const queries = useQueryClient();
	const [isSaving, setSaving] = useState(false);
	const [pending, setPending] = useState<Pending>();
	const jobId = job.job_id;
	const isBusy = useRef(false);

	/** Shows a revision, with a draft on top of it. */
	const show = async (latest: Revision, draft: Draft) => {
		await queries.ensureQueryData(transcriptQuery(jobId, latest.revision));
		reset(draft);
		queries.setQueryData(latestRevisionQuery(jobId).queryKey, latest);
		void queries.invalidateQueries({ queryKey: ["revisions", jobId, "list"] });
	};
	const offerMerge = async (draft: Draft) => {
		const latest = await fetchLatestRevision(jobId);
		if (!latest) return;
		const { results } = await queries.ensureQueryData(transcriptQuery(jobId, latest.revision));
		setPending({ latest, merge: mergeDraft(reading.paragraphs, draft, toReading(results).paragraphs) });
	};
	const attempt = async <T>(draft: Draft, task: () => Promise<T>): Promise<T | undefined> => {
		if (isBusy.current) return;
		isBusy.current = true;
		setSaving(true);
		try {
			return await task();
		} catch (error) {
			if (isStatus(error, 412)) await offerMerge(draft).catch(toastFailure);
			else toastFailure(error);
			return undefined;
		} finally {
			isBusy.current = false;
			setSaving(false);
		}
	};
	/** @returns the revision that has everything */
	const saveText = async (base: Revision, of: Reading, draft: Draft): Promise<Revision> => {
		const edits = toEdits(of.paragraphs, draft);
		if (edits.length === 0) return base;
		return createRevision(jobId, { base_revision: base.revision, edits }, base.etag);
	};
	const save = (draft: Draft) =>
		attempt(draft, async () => {
			const saved = await saveText(revision, reading, draft);
			await show(saved, new Map());
			if (saved !== revision) toast(texts.savedToast(saved.revision));
			return saved;
		});
	const saveSpeakers = (draft: Draft, change: Pick<UpdateSpeakers, "rename" | "assign">) =>
		attempt(draft, async () => {
			const base = await saveText(revision, reading, draft);
			const saved = await updateSpeakers(jobId, { base_revision: base.revision, ...change }, base.etag);
			await show(saved, new Map());
			toast(texts.speakerDialog.saved);
			return saved;
		});
	const finishMerge = async (draft: Map<number, string>, andSave: boolean) => {
		if (!pending) return;
		const { latest } = pending;
		setPending(undefined);
		await attempt(draft, async () => {
			const { results } = await queries.ensureQueryData(transcriptQuery(jobId, latest.revision));
			await show(latest, draft);
			if (!andSave) return;
			const saved = await saveText(latest, toReading(results), draft);
			await show(saved, new Map());
			toast(texts.savedToast(saved.revision));
		});
	};
	return {
		isSaving,
		save,
		saveSpeakers,
		pending,
		finishMerge,
		leaveMerge: () => setPending(undefined),
	};
}
