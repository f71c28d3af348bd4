import type { Job, TranscriptFormat } from "@parley/contracts/batch/jobs";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useScope } from "../../api/session.ts";
import { transcriptName } from "../../jobs/bulk.ts";
import { isTerminal } from "../../jobs/job-status.tsx";
import { cancelJob, deleteJob, jobQuery } from "../../jobs/jobs-api.ts";
import { buttonClass } from "../../ui/controls/button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../ui/controls/menu.tsx";
import { saveFile } from "../../ui/files/save-file.ts";
import { icons } from "../../ui/icons.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { toast, toastFailure } from "../../ui/overlays/toast.tsx";
import { downloadTranscript } from "../job-api.ts";
import { texts } from "../texts.ts";

/** Saves the transcript in a format: as the engine wrote it, or as it was edited. */
export function DownloadMenu({ job, revision }: { job: Job; revision: number }) {
	const save = async (format: TranscriptFormat, number: number) => {
		try {
			const name = transcriptName(job) + (number > 0 ? `-r${number}` : "");
			saveFile(await downloadTranscript(job.job_id, format, number), `${name}.${format}`);
		} catch (error) {
			toastFailure(error);
		}
	};
	const items = (number: number) =>
		(Object.keys(texts.formats) as TranscriptFormat[]).map((format) => (
			<MenuItem key={`${number}${format}`} onSelect={() => void save(format, number)}>
				{texts.formats[format]}
			</MenuItem>
		));
	return (
		<Menu
			label={texts.download}
			triggerClass={buttonClass()}
			trigger={
				<>
					{icons.download}
					{texts.download}
				</>
			}
		>
			{revision > 0 && (
				<>
					<MenuLabel>{texts.downloadEdited(revision)}</MenuLabel>
					{items(revision)}
					<MenuSeparator />
					<MenuLabel>{texts.downloadOriginal}</MenuLabel>
				</>
			)}
			{items(0)}
		</Menu>
	);
}

/** What else can be done with a job. */
export function JobActions({ job }: { job: Job }) {
	const queries = useQueryClient();
	const navigate = useNavigate();
	const mayWrite = useScope("batch:write");
	const [asked, setAsked] = useState<"cancel" | "delete">();
	const [isBusy, setBusy] = useState(false);
	const act = async (task: () => Promise<void>) => {
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
	const cancel = async () => {
		queries.setQueryData(jobQuery(job.job_id).queryKey, await cancelJob(job.job_id));
		toast(texts.cancelled);
		await queries.invalidateQueries({ queryKey: ["jobs"] });
	};
	const remove = async () => {
		await deleteJob(job.job_id);
		toast(texts.deleted);
		await navigate({ to: "/jobs" });
		queries.removeQueries({ queryKey: ["job", job.job_id] });
		await queries.invalidateQueries({ queryKey: ["jobs"] });
	};
	const copyId = async () => {
		await navigator.clipboard.writeText(job.job_id);
		toast(texts.copiedId);
	};
	return (
		<>
			<Menu label={texts.more} triggerClass={buttonClass({ size: "icon" })} trigger={icons.more}>
				<MenuItem icon={icons.copy} onSelect={() => void copyId()}>
					{texts.copyId}
				</MenuItem>
				{mayWrite && !isTerminal(job.status) && (
					<MenuItem icon={icons.stop} onSelect={() => setAsked("cancel")}>
						{texts.cancel}
					</MenuItem>
				)}
				{mayWrite && (
					<MenuItem icon={icons.trash} isDangerous onSelect={() => setAsked("delete")}>
						{texts.delete}
					</MenuItem>
				)}
			</Menu>
			{asked && (
				<Confirm
					title={asked === "cancel" ? texts.cancelTitle : texts.deleteTitle}
					description={asked === "cancel" ? texts.cancelText : texts.deleteText}
					action={asked === "cancel" ? texts.cancel : texts.delete}
					isDangerous
					isBusy={isBusy}
					onConfirm={() => void act(asked === "cancel" ? cancel : remove)}
					onClose={() => setAsked(undefined)}
				/>
			)}
		</>
	);
}
