import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useScope } from "../api/session.ts";
import { jobName } from "../jobs/job-name.ts";
import { JobStatusBadge } from "../jobs/job-status.tsx";
import { Time } from "../ui/data/time.tsx";
import { formatClock } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { PageHeader, Section } from "../ui/page.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { Attention } from "./attention.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { recentJobsQuery } from "./home-api.ts";
import { texts } from "./texts.ts";
import { Usage } from "./usage.tsx";

/** Where people start: what needs them, what was used, what was done last. */
export function HomePage() {
	const mayRead = useScope("batch:read");
	const recent = useQuery({ ...recentJobsQuery, enabled: mayRead });
	const isNew = recent.data?.meta.total === 0;
	if (isNew)
		return (
			<>
				<PageHeader title={texts.title} />
				<FirstSteps />
			</>
		);
	return (
		<>
			<PageHeader title={texts.title} />
			<div className="space-y-9">
				<Attention />
				<Usage />
				{mayRead && (
					<Section
						title={texts.recent}
						actions={
							<Link
								to="/jobs"
								className="flex items-center gap-0.5 rounded-sm text-sm text-soft hover:text-ink"
							>
								{texts.allJobs}
								{icons.right}
							</Link>
						}
					>
						{!recent.data ? (
							<SkeletonText lines={5} />
						) : (
							<ul className="border-t border-line">
								{recent.data.items.map((job) => (
									<li
										key={job.job_id}
										className="relative flex h-11 items-center gap-4 border-b border-line px-1 text-sm hover:bg-hover"
									>
										<Link
											to="/jobs/$jobId"
											params={{ jobId: job.job_id }}
											className="row-link min-w-0 grow truncate font-medium"
										>
											{jobName(job)}
										</Link>
										<span className="tabular text-soft max-sm:hidden">
											{job.input_metadata.duration_seconds !== null &&
												formatClock(job.input_metadata.duration_seconds)}
										</span>
										<span className="w-32 max-sm:w-auto">
											<JobStatusBadge job={job} />
										</span>
										<span className="w-28 text-right text-soft max-sm:hidden">
											<Time value={job.submitted_at} />
										</span>
									</li>
								))}
							</ul>
						)}
					</Section>
				)}
			</div>
		</>
	);
}
