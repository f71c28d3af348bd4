import type { Job } from "@parley/contracts/batch/jobs";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type DragEvent, lazy, Suspense, useEffect, useState } from "react";
import { useScope } from "../api/session.ts";
import { useCommands } from "../frame/commands.ts";
import { Button } from "../ui/controls/button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { Badge } from "../ui/data/badge.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Pagination } from "../ui/data/pagination.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatClock } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { PageHeader } from "../ui/page.tsx";
import { collectFiles } from "../uploads/collect-files.ts";
import type { NewFile } from "../uploads/upload.ts";
import { matchFiles, onSubmitted } from "../uploads/uploader.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { JobFilters } from "./job-filters.tsx";
import { jobName } from "./job-name.ts";
import { JobPeek } from "./job-peek.tsx";
import { JobStatusBadge } from "./job-status.tsx";
import { jobsQuery } from "./jobs-api.ts";
import type { JobsSearch } from "./jobs-search.ts";
import { newJobTexts, texts } from "./texts.ts";

const NewJobDialog = lazy(() => import("./new-job-dialog.tsx"));
const route = getRouteApi("/shell/jobs");

const columns: Column<Job>[] = [
	{ id: "name", header: texts.columns.name, cell: jobName },
	{
		...{ id: "status", header: texts.columns.status, sortBy: "status", width: "w-32" },
		cell: (job) => <JobStatusBadge job={job} />,
	},
	{
		...{ id: "length", header: texts.columns.length, isNumeric: true, from: "sm", width: "w-20" },
		cell: ({ input_metadata: { duration_seconds: seconds } }) =>
			seconds === null ? texts.unknownLength : formatClock(seconds),
	},
	{
		...{ id: "model", header: texts.columns.model, sortBy: "model_code", from: "lg", width: "w-48" },
		cell: ({ model_code }) => <span className="text-soft">{model_code}</span>,
	},
	{
		...{ id: "tags", header: texts.columns.tags, from: "lg", width: "w-32" },
		cell: ({ tracking }) => (
			<span className="flex gap-1 overflow-hidden">
				{tracking?.tags?.map((tag) => (
					<Badge key={tag}>{tag}</Badge>
				))}
			</span>
		),
	},
	{
		...{
			id: "submitted",
			header: texts.columns.submitted,
			sortBy: "submitted_at",
			from: "md",
			width: "w-32",
		},
		cell: ({ submitted_at }) => (
			<span className="text-soft">
				<Time value={submitted_at} />
			</span>
		),
	},
];

type Draft = { files?: NewFile[]; urls?: string };

export function JobsPage() {
	const search = route.useSearch();
	const navigate = useNavigate({ from: "/jobs" });
	const queries = useQueryClient();
	const mayWrite = useScope("batch:write");
	const jobs = useQuery(jobsQuery(search));
	const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
	const [draft, setDraft] = useState<Draft | undefined>(search.new && mayWrite ? {} : undefined);
	const set = (change: Partial<JobsSearch>, replace = false) =>
		void navigate({ search: (old) => withoutEmpty({ ...old, ...change }), replace });

	const begin = (given: Draft = {}) => mayWrite && setDraft(given);
	const close = () => {
		setDraft(undefined);
		if (search.new) set({ new: undefined }, true);
	};
	const take = (files: NewFile[]) => {
		const rest = matchFiles(files);
		if (rest.length < files.length) toast(newJobTexts.resumed(files.length - rest.length));
		if (rest.length > 0) begin({ files: rest });
	};
	useEffect(() => onSubmitted(() => void queries.invalidateQueries({ queryKey: ["jobs"] })), [queries]);
	usePaste(take, (urls) => begin({ urls }));
	useShortcuts(mayWrite ? [{ keys: "n", label: texts.newJob, group: texts.list, run: () => begin() }] : []);
	useCommands(mayWrite ? [{ label: texts.newJob, icon: "plus", keys: "n", run: () => begin() }] : []);

	const rows = jobs.data?.items;
	const peeked = rows?.find(({ job_id }) => job_id === search.peek);
	const { page: _, peek: __, new: ___, sort, order, ...filters } = search;
	const isFiltered = Object.keys(filters).length > 0;
	return (
		<DropTarget isEnabled={mayWrite} onFiles={take}>
			<PageHeader
				title={texts.title}
				actions={
					mayWrite && (
						<Button look="lead" onClick={() => begin()}>
							{icons.plus}
							{texts.newJob}
						</Button>
					)
				}
			/>
			{mayWrite && <DropStrip onPress={begin} />}
			<JobFilters
				search={search}
				onChange={(change) => set({ ...change, page: undefined, peek: undefined })}
			/>
			{jobs.isError && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
			<DataTable
				label={texts.list}
				columns={columns}
				rows={jobs.isError ? [] : rows}
				rowId={({ job_id }) => job_id}
				rowName={jobName}
				rowLink={({ job_id }) => ({ to: "/jobs/$jobId", params: { jobId: job_id } })}
				sort={{ by: sort ?? "submitted_at", order: order ?? "desc" }}
				onSort={({ by, order: next }) =>
					set({
						sort: by === "submitted_at" ? undefined : by,
						order: next === "asc" ? "asc" : undefined,
						page: undefined,
					})
				}
				selected={selected}
				onSelect={setSelected}
				peek={search.peek}
				onPeek={(peek) => set({ peek }, true)}
				isStale={jobs.isPlaceholderData}
				expected={10}
				empty={
					jobs.isError ? null : isFiltered ? (
						<EmptyState
							icon={icons.filter}
							title={texts.noneTitle}
							action={<Button onClick={() => void navigate({ search: {} })}>{texts.filters.clear}</Button>}
						>
							{texts.none}
						</EmptyState>
					) : (
						<EmptyState
							icon={icons.jobs}
							title={texts.emptyTitle}
							action={
								mayWrite && (
									<Button look="lead" onClick={() => begin()}>
										{texts.chooseFiles}
									</Button>
								)
							}
						>
							{texts.empty}
						</EmptyState>
					)
				}
			/>
			{jobs.data && jobs.data.meta.total > 0 && (
				<Pagination
					page={search.page ?? 1}
					pages={jobs.data.meta.pages}
					total={texts.total(jobs.data.meta.total)}
					onPage={(page) => set({ page, peek: undefined })}
				/>
			)}
			<BulkActions
				jobs={rows?.filter(({ job_id }) => selected.has(job_id)) ?? []}
				mayWrite={mayWrite}
				onDone={() => setSelected(new Set())}
			/>
			{peeked && <JobPeek job={peeked} onClose={() => set({ peek: undefined }, true)} />}
			<Suspense>{draft && <NewJobDialog {...draft} onClose={close} onFiles={matchFiles} />}</Suspense>
		</DropTarget>
	);
}

const withoutEmpty = (search: JobsSearch): JobsSearch =>
	Object.fromEntries(
		Object.entries(search).filter(
			([name, value]) => value !== undefined && value !== "" && !(name === "page" && value === 1),
		),
	);

/** A row that says what may be dropped where, small enough to stay above a full list. */
function DropStrip({ onPress }: { onPress: (draft: Draft) => void }) {
	return (
		<button
			type="button"
			onClick={() => onPress({})}
			className="mb-4 flex w-full cursor-pointer items-center gap-3 rounded-lg border border-dashed border-edge/60 bg-raised px-4 py-3 text-left text-sm transition-colors hover:border-lead hover:bg-lead-wash"
		>
			<span className="text-lead">{icons.upload}</span>
			<span className="min-w-0">
				<span className="font-medium">{texts.dropTitle}</span>{" "}
				<span className="text-soft">{texts.dropHint}</span>
			</span>
		</button>
	);
}

type DropProps = { isEnabled: boolean; onFiles: (files: NewFile[]) => void; children: React.ReactNode };

/** Takes files that are dropped anywhere on the screen. */
function DropTarget({ isEnabled, onFiles, children }: DropProps) {
	const [depth, setDepth] = useState(0);
	const hasFiles = (event: DragEvent) => isEnabled && event.dataTransfer.types.includes("Files");
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: a way beside the buttons
		<div
			className="min-h-[70dvh]"
			onDragEnter={(event) => hasFiles(event) && setDepth((old) => old + 1)}
			onDragLeave={(event) => hasFiles(event) && setDepth((old) => Math.max(0, old - 1))}
			onDragOver={(event) => hasFiles(event) && event.preventDefault()}
			onDrop={async (event) => {
				if (!hasFiles(event)) return;
				event.preventDefault();
				setDepth(0);
				onFiles(await collectFiles(event.dataTransfer));
			}}
		>
			{children}
			{depth > 0 && (
				<div className="pointer-events-none fixed inset-3 z-30 grid place-items-center rounded-xl border-2 border-dashed border-lead bg-lead-wash/90 text-lead">
					<p className="flex items-center gap-2.5 text-lg font-semibold">
						{icons.upload}
						{texts.dropNow}
					</p>
				</div>
			)}
		</div>
	);
}

/** Takes files and addresses that are pasted outside a text field. */
function usePaste(onFiles: (files: NewFile[]) => void, onUrls: (urls: string) => void): void {
	useEffect(() => {
		const paste = (event: ClipboardEvent) => {
			if (event.target instanceof Element && event.target.closest("input, textarea, dialog")) return;
			const files = [...(event.clipboardData?.files ?? [])];
			const text = event.clipboardData?.getData("text/plain") ?? "";
			if (files.length > 0) onFiles(files.map((file) => ({ file })));
			else if (/^https?:\/\/\S+/.test(text.trim())) onUrls(text);
		};
		document.addEventListener("paste", paste);
		return () => document.removeEventListener("paste", paste);
	});
}
