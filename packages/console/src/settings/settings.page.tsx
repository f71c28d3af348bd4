import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { Time } from "../ui/data/time.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatBytes, formatCount, formatLength } from "../ui/format.ts";
import { Card, Details, PageHeader, Section } from "../ui/page.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { Engines } from "./engines.tsx";
import { OwnEntry } from "./own-entry.tsx";
import { deploymentQuery, healthQuery, organisationQuery } from "./settings-api.ts";
import { texts } from "./texts.ts";

const SETTINGS = "/docs/guides/reference/settings";

export function SettingsPage() {
	return (
		<>
			<PageHeader title={texts.title} />
			<div className="grid gap-x-6 gap-y-8 lg:grid-cols-2">
				<OwnEntry />
				<OrganisationFacts />
				<Engines className="lg:col-span-2" />
				<Regions />
				<Services />
				<Limits className="lg:col-span-2" />
			</div>
		</>
	);
}

/** The frame of a section: its content, a skeleton while it loads, or why it is missing. */
function Loaded<T>({ query, children }: { query: LoadedQuery<T>; children: (data: T) => ReactNode }) {
	if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
	return (
		<Card className="p-4">
			{query.data === undefined ? <SkeletonText lines={4} /> : children(query.data)}
		</Card>
	);
}
type LoadedQuery<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

function OrganisationFacts() {
	const organisation = useQuery(organisationQuery);
	const t = texts.organisation;
	return (
		<Section title={t.title}>
			<Loaded query={organisation}>
				{({ name, id, tier, credit_seconds, created_at, features }) => (
					<Details
						items={[
							[t.name, name],
							[
								t.id,
								<span key="id" className="flex items-center gap-1">
									<code className="truncate font-mono text-xs">{id}</code>
									<CopyButton value={id} isIcon />
								</span>,
							],
							[
								t.tier,
								<span key="tier" className="capitalize">
									{tier}
								</span>,
							],
							[t.credit, credit_seconds === null ? t.unlimited : t.creditLeft(formatLength(credit_seconds))],
							[t.created, <Time key="created" value={created_at} exact />],
							...Object.entries(features).map(([feature, isOn]): [string, ReactNode] => [
								t.featureNames[feature] ?? feature.replaceAll("_", " "),
								<Badge key={feature} tone={isOn ? "good" : "plain"}>
									{isOn ? t.on : t.off}
								</Badge>,
							]),
						]}
					/>
				)}
			</Loaded>
		</Section>
	);
}

function Regions() {
	const deployment = useQuery(deploymentQuery);
	const t = texts.regions;
	return (
		<Section title={t.title}>
			<Loaded query={deployment}>
				{({ regions }) => (
					<ul className="-my-2 divide-y divide-line text-sm">
						{regions.map(({ code, name, world_part, is_home, is_current }) => (
							<li key={code} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
								<span className="grow">
									{name} <span className="text-soft">· {t.parts[world_part]}</span>
								</span>
								{is_home && <Badge tone="lead">{t.home}</Badge>}
								{is_current && <Badge tone="good">{t.current}</Badge>}
							</li>
						))}
					</ul>
				)}
			</Loaded>
		</Section>
	);
}

function Services() {
	const health = useQuery(healthQuery);
	const t = texts.services;
	return (
		<Section title={t.title}>
			<Loaded query={health}>
				{({ checks }) => (
					<ul className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2">
						{Object.entries(checks).map(([name, { ok, ms }]) => (
							<li key={name} className="flex items-center gap-3">
								<span className="grow">{t.names[name] ?? name}</span>
								{ok && <span className="tabular text-xs text-soft">{t.ms(ms)}</span>}
								<Badge tone={ok ? "good" : "bad"} hasDot>
									{ok ? t.ok : t.bad}
								</Badge>
							</li>
						))}
					</ul>
				)}
			</Loaded>
		</Section>
	);
}

function Limits({ className }: { className: string }) {
	const deployment = useQuery(deploymentQuery);
	const t = texts.limits;
	const rate = (limit: number | null) => (limit === null ? t.off : t.perMinute(limit));
	return (
		<Section
			title={t.title}
			className={className}
			description={
				<>
					{t.description}{" "}
					<a href={SETTINGS} className="text-lead underline underline-offset-2">
						{t.guide}
					</a>
				</>
			}
		>
			<Loaded query={deployment}>
				{({ retention, limits, version }) => (
					<div className="grid gap-x-10 gap-y-2 lg:grid-cols-2">
						<Details
							items={[
								[t.files, t.filesText(formatCount(retention.job_files_days, "day"))],
								[t.deadline, t.deadlineText(formatCount(retention.job_deadline_hours, "hour"))],
								[t.input, formatBytes(limits.max_input_bytes)],
								[t.version, version],
							]}
						/>
						<Details
							items={[
								[t.reads, rate(limits.reads_per_minute)],
								[t.writes, rate(limits.writes_per_minute)],
								[t.runs, rate(limits.runs_per_minute)],
							]}
						/>
					</div>
				)}
			</Loaded>
		</Section>
	);
}
