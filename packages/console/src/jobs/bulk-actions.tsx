import type { Job, TranscriptFormat } from "@parley/contracts/batch/jobs";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { Menu, MenuItem } from "../ui/controls/menu.tsx";
import { icons } from "../ui/icons.tsx";
import { Confirm } from "../ui/overlays/dialog.tsx";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { downloadTranscripts, forEachJob } from "./bulk.ts";
import { isTerminal } from "./job-status.tsx";
import { cancelJob, deleteJob } from "./jobs-api.ts";
import { texts } from "./texts.ts";

type Props = { jobs: Job[]; mayWrite: boolean; onDone: () => void };

/** Actions on the selected jobs, at the bottom of the page. */
export function BulkActions({ jobs, mayWrite, onDone }: Props) {
	const queries = useQueryClient();
	const [asked, setAsked] = useState<"cancel" | "delete">();
	const [isBusy, setBusy] = useState(false);
	if (jobs.length === 0) return null;
	const running = jobs.filter(({ status }) => !isTerminal(status));
	const done = jobs.filter(({ status }) => status === "DONE");

	const work = async (task: () => Promise<void>) => {
		setBusy(true);
		try {
			await task();
		} catch (error) {
			toastFailure(error);
		} finally {
			setBusy(false);
			setAsked(undefined);
		}
	};
	const change = (
		targets: Job[],
		task: (jobId: string) => Promise<unknown>,
		report: (count: number) => string,
	) =>
		work(async () => {
			const ids = targets.map(({ job_id }) => job_id);
			const { done: count, failed } = await forEachJob(ids, task);
			await queries.invalidateQueries({ queryKey: ["jobs"] });
			if (count > 0) toast(report(count));
			if (failed.length > 0) toastFailure(failed.length === 1 ? failed[0] : texts.skipped(failed.length));
			onDone();
		});
	const download = (format: TranscriptFormat) =>
		work(async () => {
			const count = await downloadTranscripts(done, format);
			if (count > 0) toast(texts.downloaded(count));
			else toastFailure(texts.noTranscripts);
		});
	return (
		<div className="pointer-events-none sticky bottom-4 z-10 mt-4 flex justify-center">
			<section
				aria-label={texts.selected(jobs.length)}
				className="rise pointer-events-auto flex flex-wrap items-center gap-1.5 rounded-xl border border-line-strong bg-raised p-1.5 pl-4 text-sm shadow-float"
			>
				<p className="tabular mr-2" role="status">
					{texts.selected(jobs.length)}
				</p>
				<Menu
					label={texts.download}
					triggerClass={buttonClass({ size: "small" })}
					trigger={
						<>
							{icons.download}
							{texts.download}
						</>
					}
				>
					{(Object.keys(texts.formats) as TranscriptFormat[]).map((format) => (
						<MenuItem
							key={format}
							isDisabled={done.length === 0 || isBusy}
							onSelect={() => void download(format)}
						>
							{texts.formats[format]}
						</MenuItem>
					))}
				</Menu>
				{mayWrite && (
					<>
						<Button size="small" disabled={running.length === 0} onClick={() => setAsked("cancel")}>
							{icons.stop}
							{texts.cancel}
						</Button>
						<Button size="small" onClick={() => setAsked("delete")}>
							{icons.trash}
							{texts.delete}
						</Button>
					</>
				)}
				<Button size="small" look="quiet" onClick={onDone}>
					{texts.clearSelection}
				</Button>
			</section>
			{asked === "cancel" && (
				<Confirm
					title={texts.cancelTitle(running.length)}
					description={texts.cancelText}
					action={texts.cancelAction(running.length)}
					isDangerous
					isBusy={isBusy}
					onConfirm={() => void change(running, cancelJob, texts.cancelled)}
					onClose={() => setAsked(undefined)}
				/>
			)}
			{asked === "delete" && (
				<Confirm
					title={texts.deleteTitle(jobs.length)}
					description={texts.deleteText}
					action={texts.deleteAction(jobs.length)}
					isDangerous
					isBusy={isBusy}
					onConfirm={() => void change(jobs, deleteJob, texts.deleted)}
					onClose={() => setAsked(undefined)}
				/>
			)}
		</div>
	);
}
