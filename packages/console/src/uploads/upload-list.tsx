import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { classes } from "../ui/classes.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { formatBytes, formatLength, formatPercent } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { listFiles } from "./collect-files.ts";
import { texts } from "./texts.ts";
import type { Upload, UploadState } from "./upload.ts";
import {
	allowFiles,
	clearSubmitted,
	discardUpload,
	matchFiles,
	pauseAll,
	pauseUpload,
	resumeAll,
	resumeUpload,
} from "./uploader.ts";

const SHOWN = 30;
/** Order of uploads: those that need attention first, completed ones last. */
const ORDER: UploadState[] = ["failed", "needs-file", "sending", "paused", "waiting", "submitted"];

/** A card in the corner with every upload, its progress and what can be done about it. */
export default function UploadList({ uploads }: { uploads: readonly Upload[] }) {
	const [isOpen, setOpen] = useState(true);
	const picker = useRef<HTMLInputElement>(null);
	const count = (...states: UploadState[]) => uploads.filter(({ state }) => states.includes(state)).length;
	const active = count("sending", "waiting");
	const lost = uploads.filter(({ state }) => state === "needs-file");
	const total = uploads.reduce((sum, { size }) => sum + size, 0);
	const sent = uploads.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
	const attention = count("failed", "needs-file");
	const isFinished = count("submitted") === uploads.length;
	useEffect(() => setOpen(!isFinished), [isFinished]);
	const title =
		active > 0
			? texts.uploading(active)
			: attention > 0
				? texts.attention(attention)
				: count("paused") > 0
					? texts.pausedTitle
					: texts.finished;
	const sorted = [...uploads].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
	return (
		<section
			aria-label={texts.title}
			className="rise fixed right-0 bottom-0 z-30 flex max-h-[60dvh] w-full flex-col border-line bg-raised text-sm shadow-float max-sm:border-t sm:right-4 sm:bottom-4 sm:w-96 sm:rounded-xl sm:border"
		>
			<header className="flex items-center gap-1 py-2 pr-2 pl-4">
				<h2 className="min-w-0 grow truncate font-medium">
					<span role="status">{title}</span>
				</h2>
				<span className="tabular mr-1 text-xs text-soft">{total > 0 && formatPercent(sent / total)}</span>
				{active > 0 && (
					<IconButton label={texts.pauseAll} icon={icons.pause} size="icon-small" onClick={pauseAll} />
				)}
				{active === 0 && count("paused") > 0 && (
					<IconButton label={texts.resumeAll} icon={icons.play} size="icon-small" onClick={resumeAll} />
				)}
				<IconButton
					label={isOpen ? texts.collapse : texts.expand}
					icon={isOpen ? icons.down : icons.up}
					size="icon-small"
					aria-expanded={isOpen}
					onClick={() => setOpen(!isOpen)}
				/>
				{active === 0 && count("submitted") > 0 && (
					<IconButton label={texts.clear} icon={icons.close} size="icon-small" onClick={clearSubmitted} />
				)}
			</header>
			<Progress share={total > 0 ? sent / total : 0} isThin />
			{isOpen && (
				<div className="min-h-0 overflow-y-auto">
					{lost.length > 0 && (
						<div className="border-b border-line bg-warn-wash px-4 py-3">
							<p>{texts.interrupted}</p>
							<div className="mt-2 flex gap-2">
								{lost.some(({ handle }) => handle) && (
									<Button size="small" look="lead" onClick={() => void allowFiles()}>
										{texts.allow}
									</Button>
								)}
								<Button size="small" onClick={() => picker.current?.click()}>
									{texts.chooseAgain}
								</Button>
							</div>
							<input
								ref={picker}
								type="file"
								multiple
								hidden
								data-again=""
								onChange={({ target }) => matchFiles(listFiles(target.files))}
							/>
						</div>
					)}
					<ul>
						{sorted.slice(0, SHOWN).map((upload) => (
							<Row key={upload.jobId} upload={upload} />
						))}
					</ul>
					{sorted.length > SHOWN && (
						<p className="px-4 py-2 text-xs text-soft">{texts.more(sorted.length - SHOWN)}</p>
					)}
				</div>
			)}
		</section>
	);
}

function Row({ upload }: { upload: Upload }) {
	const { jobId, name, state, problem, size, sentBytes, speed } = upload;
	return (
		<li className="border-b border-line px-4 py-2.5 last:border-0">
			<div className="flex items-center gap-1">
				<span className="min-w-0 grow truncate" dir="auto" title={name}>
					{name}
				</span>
				{(state === "sending" || state === "waiting") && (
					<IconButton
						label={texts.pause(name)}
						icon={icons.pause}
						size="icon-small"
						onClick={() => pauseUpload(jobId)}
					/>
				)}
				{state === "paused" && (
					<IconButton
						label={texts.resume(name)}
						icon={icons.play}
						size="icon-small"
						onClick={() => resumeUpload(jobId)}
					/>
				)}
				{state === "failed" && (
					<IconButton
						label={texts.retry(name)}
						icon={icons.retry}
						size="icon-small"
						onClick={() => resumeUpload(jobId)}
					/>
				)}
				{state === "submitted" ? (
					<Link
						to="/jobs/$jobId"
						params={{ jobId }}
						className="shrink-0 px-1 text-xs font-medium text-lead hover:underline"
					>
						{texts.open}
					</Link>
				) : (
					<IconButton
						label={texts.discard(name)}
						icon={icons.close}
						size="icon-small"
						onClick={() => discardUpload(jobId)}
					/>
				)}
			</div>
			{state === "failed" ? (
				<p className="text-xs wrap-anywhere text-bad">{problem}</p>
			) : (
				<p className="tabular flex gap-2 text-xs text-soft">
					<span className="grow">{stateOf(upload)}</span>
					{state === "sending" && speed > 0 && (
						<>
							<span>{texts.perSecond(formatBytes(speed))}</span>
							<span>{texts.left(formatLength((size - sentBytes) / speed))}</span>
						</>
					)}
				</p>
			)}
			{(state === "sending" || state === "paused" || state === "needs-file") && (
				<Progress share={sentBytes / size} label={name} isStill={state !== "sending"} />
			)}
		</li>
	);
}

function stateOf({ state, sentBytes, size }: Upload): string {
	if (state === "waiting") return texts.waiting;
	if (state === "submitted") return texts.submitted;
	const sent = texts.of(formatBytes(sentBytes), formatBytes(size));
	if (state === "paused") return `${texts.paused} · ${sent}`;
	return state === "needs-file" ? `${texts.needsFile} · ${sent}` : sent;
}

type ProgressProps = { share: number; label?: string; isThin?: boolean; isStill?: boolean };

function Progress({ share, label, isThin = false, isStill = false }: ProgressProps) {
	const percent = Math.min(100, Math.round(share * 100));
	return (
		<div
			role="progressbar"
			aria-label={label ?? texts.title}
			aria-valuemin={0}
			aria-valuemax={100}
			aria-valuenow={percent}
			className={classes("overflow-hidden bg-line", isThin ? "h-0.5 shrink-0" : "mt-1.5 h-1 rounded-full")}
		>
			<div className={classes("h-full", isStill ? "bg-edge" : "bg-lead")} style={{ width: `${percent}%` }} />
		</div>
	);
}
