import type { SessionEntry } from "@parley/contracts/platform/console";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isStatus } from "../api/failures.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Time } from "../ui/data/time.tsx";
import { Failure } from "../ui/failure.tsx";
import { Confirm } from "../ui/overlays/dialog.tsx";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { browserName } from "./browser-name.ts";
import { endOtherSessions, endSession, sessionsQuery } from "./people-api.ts";
import { sessionTexts as t } from "./texts.ts";

const nameOf = ({ user_agent }: SessionEntry): string => browserName(user_agent) ?? t.unknown;

/** The user's own sessions. Each but the present one can be ended. */
export function Sessions() {
	const queries = useQueryClient();
	const sessions = useQuery(sessionsQuery);
	const [ending, setEnding] = useState<ReadonlySet<string>>(new Set());
	const [isAsking, setAsking] = useState(false);
	const rows = sessions.data;
	const others = rows?.filter(({ current }) => !current) ?? [];

	const end = async (work: () => Promise<void>, ids: string[], report: string) => {
		setEnding(new Set(ids));
		try {
			await work();
			toast(report);
		} catch (error) {
			toastFailure(error);
		}
		await queries.invalidateQueries({ queryKey: ["sessions"] });
		setEnding(new Set());
		setAsking(false);
	};
	// A session that has ended meanwhile is what was asked for.
	const endOne = (id: string) =>
		end(
			() =>
				endSession(id).catch((error) => {
					if (!isStatus(error, 404)) throw error;
				}),
			[id],
			t.ended,
		);
	const endOthers = () =>
		end(
			endOtherSessions,
			others.map(({ id }) => id),
			t.endedOthers(others.length),
		);
	const columns: Column<SessionEntry>[] = [
		{
			...{ id: "browser", header: t.columns.browser },
			cell: (session) => (
				<span className="font-medium" title={session.user_agent}>
					{nameOf(session)}
				</span>
			),
		},
		{
			...{ id: "door", header: t.columns.door, from: "md", width: "w-44" },
			cell: ({ door }) => <span className="text-soft">{t.doors[door]}</span>,
		},
		{
			...{ id: "created", header: t.columns.created, from: "lg", width: "w-44" },
			cell: ({ created_at }) => (
				<span className="text-soft">
					<Time value={created_at} />
				</span>
			),
		},
		{
			...{ id: "used", header: t.columns.used, width: "w-32 max-sm:w-24" },
			cell: ({ last_used_at }) => (
				<span className="text-soft">
					<Time value={last_used_at} />
				</span>
			),
		},
		{
			...{ id: "end", header: t.columns.end, isNumeric: true, width: "w-24" },
			cell: (session) =>
				session.current ? (
					<Badge tone="good">{t.current}</Badge>
				) : (
					<Button
						size="small"
						aria-label={t.endLabel(nameOf(session))}
						busy={ending.has(session.id)}
						onClick={() => void endOne(session.id)}
					>
						{t.end}
					</Button>
				),
		},
	];
	if (sessions.isError) return <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />;
	return (
		<>
			<div className="mb-3 flex min-h-8 flex-wrap items-center gap-3">
				<p className="grow text-sm text-soft">{t.intro}</p>
				{others.length > 1 && <Button onClick={() => setAsking(true)}>{t.endOthers}</Button>}
			</div>
			<DataTable
				label={t.list}
				columns={columns}
				rows={rows}
				rowId={({ id }) => id}
				rowName={nameOf}
				expected={2}
				empty={null}
			/>
			{isAsking && (
				<Confirm
					title={t.confirmTitle(others.length)}
					description={t.confirmText}
					action={t.endOthers}
					isDangerous
					isBusy={ending.size > 0}
					onConfirm={() => void endOthers()}
					onClose={() => setAsking(false)}
				/>
			)}
		</>
	);
}
