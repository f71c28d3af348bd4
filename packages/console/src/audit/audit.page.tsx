import type { AuditEntry } from "@parley/contracts/agents/audit-log";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useScope } from "../api/session.ts";
import { useActorNames } from "../people/actors.ts";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { Menu, MenuItem } from "../ui/controls/menu.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Pagination } from "../ui/data/pagination.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { toCsv } from "../ui/files/csv.ts";
import { saveFile } from "../ui/files/save-file.ts";
import { icons } from "../ui/icons.tsx";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { PageHeader } from "../ui/page.tsx";
import { auditQuery, MAX_EXPORTED, readAll } from "./audit-api.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { AuditPeek } from "./audit-peek.tsx";
import type { AuditSearch } from "./audit-search.ts";
import { describeAction } from "./changes.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/shell/audit-log");

const columnsFor = (nameOf: (actor: string) => string): Column<AuditEntry>[] => [
	{ id: "action", header: texts.columns.action, cell: ({ action }) => describeAction(action) },
	{
		...{ id: "what", header: texts.columns.what, width: "w-72 max-md:w-36" },
		cell: ({ resource_name }) => resource_name,
	},
	{
		...{ id: "who", header: texts.columns.who, from: "sm", width: "w-44" },
		cell: ({ actor }) => <span className="text-soft">{nameOf(actor)}</span>,
	},
	{
		...{ id: "when", header: texts.columns.when, from: "md", width: "w-40" },
		cell: ({ created_at }) => (
			<span className="text-soft">
				<Time value={created_at} />
			</span>
		),
	},
];

export function AuditPage() {
	const search = route.useSearch();
	const navigate = useNavigate({ from: "/audit-log" });
	const mayRead = useScope("audit:read");
	const nameOf = useActorNames();
	const log = useQuery({ ...auditQuery(search), enabled: mayRead });
	const set = (change: Partial<AuditSearch>, replace = false) =>
		void navigate({ search: (old) => withoutEmpty({ ...old, ...change }), replace });
	if (!mayRead) return <EmptyState icon={icons.audit} title={texts.notAllowedTitle} />;
	const rows = log.data?.items;
	const peeked = rows?.find(({ id }) => id === search.peek);
	const { page = 1, peek, ...filters } = search;
	const isFiltered = Object.keys(filters).length > 0;
	return (
		<>
			<PageHeader
				title={texts.title}
				description={texts.description}
				actions={<Export search={search} isDisabled={!rows?.length} />}
			/>
			<AuditFilters search={search} onChange={(change) => set({ ...change, page: 1, peek: undefined })} />
			{log.isError ? (
				<Failure error={log.error} onRetry={() => void log.refetch()} />
			) : (
				<DataTable
					label={texts.list}
					columns={columnsFor(nameOf)}
					rows={rows}
					rowId={({ id }) => id}
					rowName={({ action, resource_name }) => `${describeAction(action)} ${resource_name}`}
					rowLink={({ id }) => ({ to: "/audit-log", search: { ...search, peek: id } })}
					peek={peek}
					onPeek={(id) => set({ peek: id }, true)}
					isStale={log.isPlaceholderData}
					expected={10}
					empty={
						isFiltered ? (
							<EmptyState
								icon={icons.filter}
								title={texts.noneTitle}
								action={<Button onClick={() => void navigate({ search: {} })}>{texts.filters.clear}</Button>}
							>
								{texts.none}
							</EmptyState>
						) : (
							<EmptyState icon={icons.audit} title={texts.emptyTitle}>
								{texts.empty}
							</EmptyState>
						)
					}
				/>
			)}
			{log.data && log.data.meta.total > 0 && (
				<Pagination
					page={page}
					pages={log.data.meta.pages}
					total={texts.total(log.data.meta.total)}
					onPage={(next) => set({ page: next, peek: undefined })}
				/>
			)}
			{peeked && (
				<AuditPeek
					entry={peeked}
					onOnly={() =>
						set({ resource: peeked.resource_type, id: peeked.resource_id, page: 1, peek: undefined })
					}
					onClose={() => set({ peek: undefined }, true)}
				/>
			)}
		</>
	);
}

const withoutEmpty = (search: AuditSearch): AuditSearch =>
	Object.fromEntries(
		Object.entries(search).filter(
			([name, value]) => value !== undefined && value !== "" && !(name === "page" && value === 1),
		),
	);

type Format = keyof typeof texts.formats;

/** Saves every entry that matches the filters. */
function Export({ search, isDisabled }: { search: AuditSearch; isDisabled: boolean }) {
	const [isBusy, setBusy] = useState(false);
	const save = async (format: Format) => {
		setBusy(true);
		try {
			const { entries, isCut } = await readAll(search);
			saveFile(format === "csv" ? csvOf(entries) : ndjsonOf(entries), `audit-log.${format}`);
			toast(isCut ? texts.cut(MAX_EXPORTED) : texts.exported(entries.length));
		} catch (error) {
			toastFailure(error);
		} finally {
			setBusy(false);
		}
	};
	return (
		<Menu
			label={texts.export}
			triggerClass={buttonClass()}
			trigger={
				<>
					{icons.download}
					{texts.export}
				</>
			}
		>
			{(Object.keys(texts.formats) as Format[]).map((format) => (
				<MenuItem key={format} isDisabled={isBusy || isDisabled} onSelect={() => void save(format)}>
					{texts.formats[format]}
				</MenuItem>
			))}
		</Menu>
	);
}

const ndjsonOf = (entries: AuditEntry[]): Blob =>
	new Blob(
		entries.map((entry) => `${JSON.stringify(entry)}\n`),
		{ type: "application/x-ndjson" },
	);

const csvOf = (entries: AuditEntry[]): Blob =>
	toCsv(
		[
			"created_at",
			"actor",
			"action",
			"resource_type",
			"resource_id",
			"resource_name",
			"details",
			"request_id",
		],
		entries.map((e) => [
			...[e.created_at, e.actor, e.action, e.resource_type, e.resource_id, e.resource_name],
			...[JSON.stringify(e.details), e.request_id],
		]),
	);
