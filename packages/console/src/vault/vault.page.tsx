import type { VaultEntry } from "@parley/contracts/agents/secrets";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useScope } from "../api/session.ts";
import { AllowedButton, useReason } from "../ui/controls/allowed-button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { Badge } from "../ui/data/badge.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { AddEntryDialog } from "./add-entry-dialog.tsx";
import { texts } from "./texts.ts";
import { vaultQuery } from "./vault-api.ts";
import { VaultPeek } from "./vault-peek.tsx";
import type { VaultSearch } from "./vault-search.ts";

const route = getRouteApi("/shell/vault");

const columns: Column<VaultEntry>[] = [
	{
		...{ id: "name", header: texts.columns.name },
		cell: ({ name }) => <code className="font-mono text-sm">{name}</code>,
	},
	{
		...{ id: "kind", header: texts.columns.kind, width: "w-40 max-sm:w-24" },
		cell: ({ kind, is_managed }) => (
			<span className="flex gap-1.5">
				<Badge tone={kind === "secret" ? "lead" : "plain"}>{texts.kinds[kind]}</Badge>
				{is_managed && <Badge>{texts.managed}</Badge>}
			</span>
		),
	},
	{
		...{ id: "about", header: texts.columns.about, from: "md", width: "w-80" },
		cell: ({ description }) => <span className="text-soft">{description}</span>,
	},
	{
		...{ id: "rotated", header: texts.columns.rotated, from: "sm", width: "w-36" },
		cell: ({ last_rotated_at }) => (
			<span className="text-soft">
				<Time value={last_rotated_at} />
			</span>
		),
	},
];

export function VaultPage() {
	const { peek, new: isNew = false } = route.useSearch();
	const navigate = useNavigate({ from: "/vault" });
	const mayWrite = useScope("vault:write");
	const mayRead = useScope("vault:read") || mayWrite;
	const reason = useReason();
	const entries = useQuery({ ...vaultQuery, enabled: mayRead });
	const set = (search: VaultSearch) => void navigate({ search, replace: true });
	const add = () => set({ new: true });
	useShortcuts(mayWrite ? [{ keys: "n", label: texts.add, group: texts.list, run: add }] : []);
	const rows = entries.data;
	const peeked = rows?.find(({ name }) => name === peek);
	const addButton = (
		<AllowedButton scope="vault:write" look="lead" onClick={add}>
			{icons.plus}
			{texts.add}
		</AllowedButton>
	);
	return (
		<>
			<PageHeader title={texts.title} description={texts.description} actions={addButton} />
			{!mayRead && (
				<EmptyState icon={icons.vault} title={texts.notAllowedTitle}>
					{reason}
				</EmptyState>
			)}
			{entries.isError && <Failure error={entries.error} onRetry={() => void entries.refetch()} />}
			{mayRead && !entries.isError && (
				<DataTable
					label={texts.list}
					columns={columns}
					rows={rows}
					rowId={({ name }) => name}
					rowName={({ name }) => name}
					rowLink={({ name }) => ({ to: "/vault", search: { peek: name } })}
					peek={peek}
					onPeek={(name) => set(name === undefined ? {} : { peek: name })}
					expected={4}
					empty={
						<EmptyState icon={icons.vault} title={texts.emptyTitle} action={addButton}>
							{texts.empty}
						</EmptyState>
					}
				/>
			)}
			{rows && rows.length > 0 && (
				<p className="tabular mt-3 text-sm text-soft">{texts.total(rows.length)}</p>
			)}
			{peeked && <VaultPeek key={peeked.name} entry={peeked} onClose={() => set({})} />}
			{isNew && mayWrite && <AddEntryDialog onClose={() => set({})} />}
		</>
	);
}
