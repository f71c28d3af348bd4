import { useQuery } from "@tanstack/react-query";
import type { LinkProps } from "@tanstack/react-router";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useScope } from "../api/session.ts";
import { classes } from "../ui/classes.ts";
import { Time } from "../ui/data/time.tsx";
import { formatLength, formatList } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { Section } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import {
	daysAgo,
	driftedAgentsQuery,
	failedJobsQuery,
	keysQuery,
	organisationQuery,
	serversQuery,
	toolsQuery,
} from "./home-api.ts";
import { texts } from "./texts.ts";

const KEY_WARNING_DAYS = 14;
const LOW_CREDIT_S = 3_600;
const SHOWN_NAMES = 3;

type Notice = {
	id: string;
	tone: "bad" | "warn";
	title: string;
	text: ReactNode;
	link?: LinkProps;
};

/** What somebody should look at, the worst first. */
export function Attention() {
	const { notices, isPending } = useNotices();
	return (
		<Section title={texts.attention}>
			{isPending && notices.length === 0 ? (
				<Skeleton className="h-14 w-full" />
			) : notices.length === 0 ? (
				<p className="flex items-center gap-2 text-sm text-soft">
					<span className="text-good">{icons.check}</span>
					{texts.allGood}
				</p>
			) : (
				<ul className="divide-y divide-line rounded-lg border border-line bg-raised shadow-edge">
					{notices.map(({ id, tone, title, text, link }) => (
						<li key={id} className="relative flex items-start gap-3 px-4 py-3 text-sm has-[a]:hover:bg-hover">
							<span className={classes("mt-0.5", tone === "bad" ? "text-bad" : "text-warn")}>
								{icons.warning}
							</span>
							<div className="min-w-0 grow wrap-anywhere">
								{link ? (
									<Link {...link} className="row-link font-medium">
										{title}
									</Link>
								) : (
									<p className="font-medium">{title}</p>
								)}
								<p className="text-soft">{text}</p>
							</div>
							{link && <span className="mt-0.5 text-soft">{icons.right}</span>}
						</li>
					))}
				</ul>
			)}
		</Section>
	);
}

function useNotices(): { notices: Notice[]; isPending: boolean } {
	const [mayBatch, mayKeys] = [useScope("batch:read"), useScope("keys:manage")];
	const [mayServers, mayTools, mayAgents] = [
		useScope("mcp:read"),
		useScope("tools:read"),
		useScope("agents:read"),
	];
	const failed = useQuery({ ...failedJobsQuery, enabled: mayBatch });
	const keys = useQuery({ ...keysQuery, enabled: mayKeys });
	const servers = useQuery({ ...serversQuery, enabled: mayServers });
	const tools = useQuery({ ...toolsQuery, enabled: mayTools });
	const drifted = useQuery({ ...driftedAgentsQuery, enabled: mayAgents });
	const organisation = useQuery(organisationQuery);
	const notices: Notice[] = [];

	const failures = failed.data?.meta.total ?? 0;
	const [lastFailure] = failed.data?.items ?? [];
	if (failures > 0)
		notices.push({
			...{ id: "jobs", tone: "bad", title: texts.failedJobs(failures) },
			text: lastFailure?.error?.message ?? "",
			link: { to: "/jobs", search: { status: ["FAILED"] } },
		});
	const broken = (servers.data ?? []).filter(({ capability_status: status }) => status in texts.serverStates);
	const [worst] = broken;
	if (worst)
		notices.push({
			...{ id: "servers", tone: "bad", title: texts.servers(names(broken), broken.length) },
			text: texts.serverStates[worst.capability_status as keyof typeof texts.serverStates],
		});
	if (drifted.data && drifted.data.length > 0)
		notices.push({
			...{ id: "drift", tone: "warn", title: texts.drift(names(drifted.data)), text: texts.driftText },
		});
	const failing = (tools.data ?? []).filter(
		({ source, config_valid, last_run_status: run }) =>
			source === "org" && (!config_valid || run === "failed" || run === "timed_out"),
	);
	if (failing.length > 0)
		notices.push({
			...{ id: "tools", tone: "warn", title: texts.failingTools(names(failing), failing.length) },
			text: texts.failingToolsText,
		});
	const soon = daysAgo(-KEY_WARNING_DAYS).toISOString();
	const expiring = (keys.data ?? []).filter(
		({ expires_at: end }) => end !== null && end < soon && end > daysAgo(1).toISOString(),
	);
	const [first] = expiring.toSorted((a, b) => String(a.expires_at).localeCompare(String(b.expires_at)));
	if (first?.expires_at)
		notices.push({
			id: "keys",
			tone: "warn",
			title: texts.expiringKeys(names(expiring.map(({ label }) => ({ name: label }))), expiring.length),
			text: (
				<>
					<Time value={first.expires_at} />. {texts.expiredKey}
				</>
			),
			link: { to: "/keys" },
		});
	const credit = organisation.data?.credit_seconds ?? null;
	if (credit !== null && credit < LOW_CREDIT_S)
		notices.push({
			...{ id: "credit", tone: credit <= 0 ? "bad" : "warn", title: texts.credit(formatLength(credit)) },
			text: texts.creditText,
		});
	const isPending = [failed, keys, servers, tools, drifted, organisation].some((query) => query.isLoading);
	return {
		notices: notices.toSorted((a, b) => Number(a.tone === "warn") - Number(b.tone === "warn")),
		isPending,
	};
}

/** Names the first few, and how many there are besides. */
function names(items: { name: string }[]): string {
	const rest = items.length - SHOWN_NAMES;
	const shown = items.slice(0, SHOWN_NAMES).map(({ name }) => name);
	return formatList(rest > 0 ? [...shown, `${rest} more`] : shown);
}
