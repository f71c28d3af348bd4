import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { RequestFailure } from "../api/failures.ts";
import { settleAll } from "../ui/concurrency.ts";
import { Button, IconButton } from "../ui/controls/button.tsx";
import { Checkbox, Input, Select, Textarea } from "../ui/controls/field.tsx";
import { Tabs } from "../ui/controls/tabs.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatBytes } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { collectFiles, listFiles } from "../uploads/collect-files.ts";
import type { JobOptions, NewFile } from "../uploads/upload.ts";
import { addUploads } from "../uploads/uploader.ts";
import { extrasQuery, newJobId, speechModelsQuery, submitJob } from "./jobs-api.ts";
import { type Extra, type JobForm, loadForm, saveForm, toOptions } from "./new-job-form.ts";
import { newJobTexts as t, texts } from "./texts.ts";

const SHOWN_FILES = 5;
const URLS_AT_ONCE = 4;

type Props = {
	files?: NewFile[];
	urls?: string;
	/** Takes those files that interrupted uploads wait for, and returns the others. */
	onFiles: (files: NewFile[]) => NewFile[];
	onClose: () => void;
};

/** Asks what to transcribe and how. */
export default function NewJobDialog({ files: given = [], urls: pasted = "", onFiles, onClose }: Props) {
	const queries = useQueryClient();
	const [source, setSource] = useState<"files" | "urls">(pasted ? "urls" : "files");
	const [files, setFiles] = useState(given);
	const [urls, setUrls] = useState(pasted);
	const [form, setForm] = useState(loadForm);
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const lines = urls.split(/\s+/).filter(Boolean);
	const count = source === "files" ? files.length : lines.length;

	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (count === 0 || isBusy) return;
		saveForm(form);
		const options = toOptions(form);
		if (source === "files") {
			addUploads(files, options);
			return onClose();
		}
		const bad = lines.find((line) => !URL.canParse(line));
		if (bad) return setProblem(t.badUrl(bad));
		setBusy(true);
		const failed = await submitUrls(lines, options);
		setBusy(false);
		await queries.invalidateQueries({ queryKey: ["jobs"] });
		if (lines.length > failed.length) toast(t.submitted(lines.length - failed.length));
		if (failed.length === 0) return onClose();
		setUrls(failed.map(({ line }) => line).join("\n"));
		setProblem(failed[0]?.error);
	};
	return (
		<Dialog
			title={t.title}
			onClose={onClose}
			width="medium"
			actions={
				<>
					<Button onClick={onClose}>{texts.cancel}</Button>
					<Button
						type="submit"
						form="new-job"
						look="lead"
						busy={isBusy}
						disabled={count === 0}
						autoFocus={count > 0}
					>
						{count === 0 ? t.start : source === "files" ? t.startFiles(count) : t.startUrls(count)}
					</Button>
				</>
			}
		>
			<form id="new-job" method="post" onSubmit={submit}>
				<Tabs
					label={t.source}
					tabs={[
						{ id: "files", label: t.files },
						{ id: "urls", label: t.urls },
					]}
					current={source}
					onChange={setSource}
				>
					{source === "files" ? (
						<Files
							files={files}
							onChange={setFiles}
							onAdd={(added) => setFiles((old) => [...old, ...onFiles(added)])}
						/>
					) : (
						<Textarea
							label={t.urlLabel}
							hint={t.urlHint}
							placeholder={t.urlPlaceholder}
							isCode
							rows={5}
							autoFocus
							value={urls}
							onChange={({ target }) => {
								setUrls(target.value);
								setProblem(undefined);
							}}
						/>
					)}
				</Tabs>
				{problem !== undefined && (
					<div className="mt-3">
						<Failure error={problem instanceof RequestFailure ? problem : new Error(String(problem))} />
					</div>
				)}
				<Options form={form} onChange={(change) => setForm({ ...form, ...change })} />
			</form>
		</Dialog>
	);
}

async function submitUrls(lines: string[], options: JobOptions): Promise<{ line: string; error: unknown }[]> {
	const results = await settleAll(lines, URLS_AT_ONCE, (line) => {
		const title = decodeName(new URL(line).pathname.split("/").at(-1) ?? "") || line;
		return submitJob({
			...options,
			...{ job_id: newJobId(), input_url: line },
			tracking: { title: title.slice(0, 500), ...options.tracking },
		});
	});
	return results.flatMap((result, index) =>
		result.status === "rejected" ? [{ line: lines[index] ?? "", error: result.reason }] : [],
	);
}

function decodeName(name: string): string {
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

type FilesProps = {
	files: NewFile[];
	onChange: (files: NewFile[]) => void;
	onAdd: (files: NewFile[]) => void;
};

function Files({ files, onChange, onAdd }: FilesProps) {
	const picker = useRef<HTMLInputElement>(null);
	const folder = useRef<HTMLInputElement>(null);
	const total = files.reduce((sum, { file }) => sum + file.size, 0);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: a way beside the buttons
		<div
			onDragOver={(event) => event.preventDefault()}
			onDrop={async (event) => {
				event.preventDefault();
				event.stopPropagation();
				onAdd(await collectFiles(event.dataTransfer));
			}}
			className="rounded-lg border border-dashed border-edge/60 bg-canvas p-4"
		>
			{files.length === 0 && <p className="mb-3 text-center text-sm text-soft">{t.noFiles}</p>}
			{files.length > 0 && (
				<ul className="mb-3 text-sm">
					{files.slice(0, SHOWN_FILES).map((one, index) => (
						<li
							key={`${one.file.name}/${one.file.size}/${one.file.lastModified}`}
							className="flex h-8 items-center gap-2"
						>
							<span className="text-soft">{icons.jobs}</span>
							<span className="min-w-0 grow truncate" dir="auto">
								{one.file.name}
							</span>
							<span className="tabular text-xs text-soft">{formatBytes(one.file.size)}</span>
							<IconButton
								label={t.removeFile(one.file.name)}
								icon={icons.close}
								size="icon-small"
								onClick={() => onChange(files.filter((_, at) => at !== index))}
							/>
						</li>
					))}
					{files.length > SHOWN_FILES && (
						<li className="py-1.5 pl-6 text-soft">{t.more(files.length - SHOWN_FILES)}</li>
					)}
				</ul>
			)}
			<div className="flex flex-wrap items-center justify-center gap-2">
				<Button size="small" onClick={() => picker.current?.click()} autoFocus={files.length === 0}>
					{icons.upload}
					{texts.chooseFiles}
				</Button>
				<Button size="small" onClick={() => folder.current?.click()}>
					{icons.folder}
					{texts.chooseFolder}
				</Button>
				{files.length > 1 && (
					<span className="tabular text-xs text-soft">
						{t.fileCount(files.length)}, {formatBytes(total)}
					</span>
				)}
			</div>
			<input
				ref={picker}
				type="file"
				multiple
				hidden
				data-files=""
				onChange={({ target }) => onAdd(listFiles(target.files))}
			/>
			<input
				ref={(element) => {
					folder.current = element;
					element?.toggleAttribute("webkitdirectory", true);
				}}
				type="file"
				multiple
				hidden
				onChange={({ target }) => onAdd(listFiles(target.files))}
			/>
		</div>
	);
}

function Options({ form, onChange }: { form: JobForm; onChange: (change: Partial<JobForm>) => void }) {
	const models = useQuery(speechModelsQuery);
	const offered = useQuery(extrasQuery);
	const model = models.data?.find(({ code }) => code === form.model) ?? models.data?.[0];
	const languages = model?.languages ?? [];
	const can = (name: string) => model?.capabilities.some((capability) => capability.includes(name)) ?? false;
	const extras = (Object.keys(t.extraNames) as Extra[]).filter((extra) =>
		[...(offered.data ?? [])].some((capability) => capability.startsWith(extra)),
	);
	const names = languageNames();
	return (
		<fieldset className="mt-5 grid gap-4 sm:grid-cols-2">
			<legend className="mb-3 text-sm font-semibold">{t.options}</legend>
			<Select
				label={t.model}
				options={Object.fromEntries(
					models.data?.map(({ code, name, is_default }) => [
						code,
						is_default ? `${name} (${t.modelDefault})` : name,
					]) ?? [["", "…"]],
				)}
				value={model?.code ?? ""}
				onChange={({ target }) => onChange({ model: target.value })}
			/>
			{languages.length > 1 || languages.includes("any") ? (
				<Input
					label={t.language}
					list="languages"
					value={form.language}
					onChange={({ target }) => onChange({ language: target.value.trim() })}
				/>
			) : (
				<Select
					label={t.language}
					options={Object.fromEntries(
						(languages.length ? languages : ["en"]).map((code) => [code, names(code)]),
					)}
					value={languages[0] ?? "en"}
					onChange={({ target }) => onChange({ language: target.value })}
				/>
			)}
			<datalist id="languages">
				<option value="auto" />
				{languages
					.filter((code) => code !== "any")
					.map((code) => (
						<option key={code} value={code}>
							{names(code)}
						</option>
					))}
			</datalist>
			<Select
				label={t.speakers}
				options={Object.fromEntries(
					Object.entries(t.speakerChoices).filter(
						([value]) => value !== "speaker" || can("diarization") || can("speaker"),
					),
				)}
				value={form.speakers}
				onChange={({ target }) => onChange({ speakers: target.value as JobForm["speakers"] })}
			/>
			<Input
				label={t.tags}
				placeholder={t.tagsHint}
				value={form.tags}
				onChange={({ target }) => onChange({ tags: target.value })}
			/>
			{extras.length > 0 && (
				<div className="sm:col-span-2">
					<p className="mb-1.5 text-sm font-medium">{t.extras}</p>
					<div className="flex flex-wrap gap-x-5 gap-y-2">
						{extras.map((extra) => (
							<Checkbox
								key={extra}
								label={t.extraNames[extra]}
								checked={form.extras.includes(extra)}
								onChange={({ target }) =>
									onChange({
										extras: target.checked
											? [...form.extras, extra]
											: form.extras.filter((one) => one !== extra),
									})
								}
							/>
						))}
					</div>
				</div>
			)}
		</fieldset>
	);
}

function languageNames(): (code: string) => string {
	const names = new Intl.DisplayNames(undefined, { type: "language" });
	return (code) => {
		try {
			return names.of(code) ?? code;
		} catch {
			return code;
		}
	};
}
