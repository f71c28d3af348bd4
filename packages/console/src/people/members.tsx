import type { User } from "@parley/contracts/platform/users";
import type { Role } from "@parley/contracts/shared/roles";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge, type Tone } from "../ui/data/badge.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Pagination } from "../ui/data/pagination.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { texts as shared } from "../ui/texts.ts";
import { PAGE_SIZE, userName, usersQuery } from "./people-api.ts";
import type { PeopleSearch } from "./people-search.ts";
import { texts } from "./texts.ts";
import { UserPeek } from "./user-peek.tsx";

const route = getRouteApi("/shell/people");

const TONES: Record<Role, Tone> = { owner: "lead", admin: "lead", developer: "plain", viewer: "plain" };

const columnsFor = (ownId: string | undefined): Column<User>[] => [
	{
		...{ id: "name", header: texts.columns.name },
		cell: (user) => (
			<span className="flex items-center gap-2">
				<span className="truncate">{userName(user, texts.noName)}</span>
				{user.id === ownId && <Badge>{texts.you}</Badge>}
			</span>
		),
	},
	{
		...{ id: "email", header: texts.columns.email, from: "md", width: "w-72" },
		cell: ({ email }) => <span className="text-soft">{email ?? texts.noEmail}</span>,
	},
	{
		...{ id: "role", header: texts.columns.role, width: "w-32 max-sm:w-28" },
		cell: ({ role }) => <Badge tone={TONES[role]}>{shared.roles[role]}</Badge>,
	},
	{
		...{ id: "seen", header: texts.columns.seen, from: "sm", width: "w-40" },
		cell: ({ status, last_sign_in_at }) =>
			status === "invited" || last_sign_in_at === null ? (
				<Badge tone="warn">{texts.invited}</Badge>
			) : (
				<span className="text-soft">
					<Time value={last_sign_in_at} />
				</span>
			),
	},
];

export function Members({ onInvite }: { onInvite: () => void }) {
	const { page = 1, peek } = route.useSearch();
	const navigate = useNavigate({ from: "/people" });
	const users = useQuery(usersQuery(page));
	const { user: self } = useSession();
	const at = (search: PeopleSearch): PeopleSearch => ({ ...(page > 1 && { page }), ...search });
	const show = (id: string | undefined) =>
		void navigate({ search: at(id === undefined ? {} : { peek: id }), replace: true });
	const rows = users.data?.items;
	const peeked = rows?.find(({ id }) => id === peek);
	if (users.isError) return <Failure error={users.error} onRetry={() => void users.refetch()} />;
	return (
		<>
			<DataTable
				label={texts.list}
				columns={columnsFor(self?.id)}
				rows={rows}
				rowId={({ id }) => id}
				rowName={(user) => userName(user, texts.noName)}
				rowLink={({ id }) => ({ to: "/people", search: at({ peek: id }) })}
				peek={peek}
				onPeek={show}
				isStale={users.isPlaceholderData}
				expected={4}
				empty={
					<EmptyState
						icon={icons.people}
						title={texts.emptyTitle}
						action={
							<Button look="lead" onClick={onInvite}>
								{texts.invite}
							</Button>
						}
					>
						{texts.empty}
					</EmptyState>
				}
			/>
			{users.data && users.data.total > 0 && (
				<Pagination
					page={page}
					pages={Math.ceil(users.data.total / PAGE_SIZE)}
					total={texts.total(users.data.total)}
					onPage={(next) => void navigate({ search: next > 1 ? { page: next } : {} })}
				/>
			)}
			{peeked && <UserPeek key={peeked.id} user={peeked} onClose={() => show(undefined)} />}
		</>
	);
}
