import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { latestRevisionQuery, transcriptQuery } from "../job/job-api.ts";
import { jobQuery } from "../jobs/jobs-api.ts";
import { ButtonLink } from "../ui/controls/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { Skeleton, SkeletonText } from "../ui/skeleton.tsx";
import { Editor } from "./editor.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/shell/jobs/$jobId/edit");

/** A transcript that is corrected beside its recording. */
export function EditorPage() {
	const { jobId } = route.useParams();
	const job = useQuery(jobQuery(jobId));
	// What is edited changes only when this screen saves or merges.
	const revision = useQuery({ ...latestRevisionQuery(jobId), staleTime: Number.POSITIVE_INFINITY });
	const transcript = useQuery({
		...transcriptQuery(jobId, revision.data?.revision ?? 0),
		enabled: revision.data !== undefined,
	});
	const error = job.error ?? revision.error ?? transcript.error;
	if (error && !(job.data && revision.data && transcript.data))
		return (
			<Failure
				error={error}
				onRetry={() => {
					for (const query of [job, revision, transcript]) if (query.isError) void query.refetch();
				}}
			/>
		);
	if (job.data && job.data.status !== "DONE")
		return (
			<EmptyState
				icon={icons.edit}
				title={texts.notDone}
				action={
					<ButtonLink to="/jobs/$jobId" params={{ jobId }}>
						{texts.back}
					</ButtonLink>
				}
			/>
		);
	if (!job.data || !revision.data || !transcript.data)
		return (
			<div>
				<Skeleton className="mb-6 h-7 w-72 max-w-full" />
				<Skeleton className="mb-8 h-24 w-full" />
				<SkeletonText lines={8} />
			</div>
		);
	return <Editor key={jobId} job={job.data} revision={revision.data} transcript={transcript.data} />;
}
