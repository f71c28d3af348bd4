import type { DeploymentModel, EngineStatus } from "@parley/contracts/platform/deployment";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Badge, type Tone } from "../ui/data/badge.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatNumber } from "../ui/format.ts";
import { Section } from "../ui/page.tsx";
import { deploymentQuery } from "./settings-api.ts";
import { texts } from "./texts.ts";

const t = texts.engines;
const GUIDE = "/docs/guides/how-to/use-another-speech-engine";
const TONES: Record<EngineStatus, Tone> = { ok: "good", degraded: "warn", failing: "bad", unknown: "plain" };

const columns: Column<DeploymentModel>[] = [
	{
		...{ id: "model", header: t.columns.model },
		cell: ({ name, code, is_default, provider }) => (
			<span className="flex items-center gap-2" title={code}>
				<span className="truncate">
					<span className="font-medium">{name}</span>
					<span className="text-soft max-sm:hidden"> · {provider}</span>
				</span>
				{is_default && <Badge>{t.standard}</Badge>}
			</span>
		),
	},
	{
		...{ id: "type", header: t.columns.type, from: "md", width: "w-36" },
		cell: ({ service_type }) => <span className="text-soft">{t.types[service_type]}</span>,
	},
	{
		...{ id: "status", header: t.columns.status, width: "w-28" },
		// Jobs name the model that transcribes, and no other.
		cell: ({ status, service_type }) =>
			service_type === "speech_to_text" ? (
				<Badge tone={TONES[status]} hasDot={status !== "unknown"}>
					{t.statuses[status]}
				</Badge>
			) : (
				<span className="text-soft">–</span>
			),
	},
	{
		...{ id: "done", header: t.columns.done, isNumeric: true, from: "sm", width: "w-20" },
		cell: ({ jobs_done, service_type }) =>
			service_type === "speech_to_text" ? formatNumber(jobs_done) : <span className="text-soft">–</span>,
	},
	{
		...{ id: "failed", header: t.columns.failed, isNumeric: true, from: "sm", width: "w-36" },
		cell: ({ code, service_type, jobs_failed, last_failure_at }) =>
			jobs_failed === 0 || last_failure_at === null ? (
				<span className="text-soft">{service_type === "speech_to_text" ? "0" : "–"}</span>
			) : (
				<Link
					to="/jobs"
					search={{ status: ["FAILED"], model: code }}
					className="text-bad underline underline-offset-2"
				>
					{formatNumber(jobs_failed)}, <Time value={last_failure_at} />
				</Link>
			),
	},
];

/** The models of the deployment, and how their engines fare. */
export function Engines({ className }: { className: string }) {
	const deployment = useQuery(deploymentQuery);
	return (
		<Section title={t.title} description={t.description} className={className}>
			{deployment.isError ? (
				<Failure error={deployment.error} onRetry={() => void deployment.refetch()} />
			) : (
				<DataTable
					label={t.list}
					columns={columns}
					rows={deployment.data?.models}
					rowId={({ code }) => code}
					rowName={({ name }) => name}
					expected={3}
					empty={
						<EmptyState title={t.none}>
							{t.noneText}{" "}
							<a href={GUIDE} className="text-lead underline underline-offset-2">
								{t.guide}
							</a>
						</EmptyState>
					}
				/>
			)}
		</Section>
	);
}
