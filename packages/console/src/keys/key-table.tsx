import type { Key } from "@parley/contracts/platform/keys";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Pagination } from "../ui/data/pagination.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { describeAccess } from "./access.ts";
import { KeyExpiry } from "./key-expiry.tsx";
import { KeyPeek } from "./key-peek.tsx";
import { keysQuery, PAGE_SIZE } from "./keys-api.ts";
import type { KeysSearch } from "./keys-search.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/shell/keys");

const columns: Column<Key>[] = [
	{ id: "name", header: texts.columns.name, cell: ({ label }) => label },
	{
		...{ id: "key", header: texts.columns.key, width: "w-44 max-sm:w-32" },
		cell: ({ prefix, last_four }) => (
			<code className="font-mono text-xs text-soft">
				<span className="max-sm:hidden">{prefix}</span>…{last_four}
			</code>
		),
	},
	{
		...{ id: "access", header: texts.columns.access, from: "md", width: "w-52" },
		cell: (key) => (
			<span className="flex items-center gap-2">
				<Badge>{texts.families[key.family]}</Badge>
				<span className="truncate text-soft">{describeAccess(key)}</span>
			</span>
		),
	},
	{
		...{ id: "lastUsed", header: texts.columns.lastUsed, from: "sm", width: "w-36" },
		cell: ({ last_used_at }) => (
			<span className="text-soft">
				{last_used_at === null ? texts.neverUsed : <Time value={last_used_at} />}
			</span>
		),
	},
	{
		...{ id: "expires", header: texts.columns.expires, from: "lg", width: "w-40" },
		cell: ({ expires_at }) => <KeyExpiry expiresAt={expires_at} />,
	},
];

export function KeyTable({ onCreate }: { onCreate: () => void }) {
	const { page = 1, peek } = route.useSearch();
	const navigate = useNavigate({ from: "/keys" });
	const keys = useQuery(keysQuery(page));
	const set = (search: KeysSearch, replace = false) => void navigate({ search, replace });
	const show = (id: string | undefined) =>
		set({ ...(page > 1 && { page }), ...(id !== undefined && { peek: id }) }, true);
	const rows = keys.data?.items;
	const peeked = rows?.find(({ id }) => id === peek);
	if (keys.isError) return <Failure error={keys.error} onRetry={() => void keys.refetch()} />;
	return (
		<>
			<DataTable
				label={texts.list}
				columns={columns}
				rows={rows}
				rowId={({ id }) => id}
				rowName={({ label }) => label}
				rowLink={({ id }) => ({ to: "/keys", search: { ...(page > 1 && { page }), peek: id } })}
				peek={peek}
				onPeek={show}
				isStale={keys.isPlaceholderData}
				expected={4}
				empty={
					<EmptyState
						icon={icons.keys}
						title={texts.emptyTitle}
						action={
							<Button look="lead" onClick={onCreate}>
								{texts.newKey}
							</Button>
						}
					>
						{texts.empty}
					</EmptyState>
				}
			/>
			{keys.data && keys.data.total > 0 && (
				<Pagination
					page={page}
					pages={Math.ceil(keys.data.total / PAGE_SIZE)}
					total={texts.total(keys.data.total)}
					onPage={(next) => set(next > 1 ? { page: next } : {})}
				/>
			)}
			{peeked && <KeyPeek apiKey={peeked} onClose={() => show(undefined)} />}
		</>
	);
}
