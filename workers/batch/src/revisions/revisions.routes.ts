import {
	CreateRevision,
	ListRevisionsQuery,
	Revision,
	RevisionDetails,
	RevisionPage,
	revisionNumber,
	UpdateSpeakers,
} from "@parley/contracts/batch/revisions";
import { GetSpeakersQuery, Speakers } from "@parley/contracts/batch/speakers";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../job-path.ts";
import {
	createRevision,
	getRevision,
	getSpeakers,
	listRevisions,
	updateSpeakers,
} from "./revisions.service.ts";

export const revisionRoutes = createBatchRouter();

const RevisionPath = JobPath.extend({ revision: revisionNumber.describe("Number of the revision, from 0") });

revisionRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/revisions",
		operationId: "listRevisions",
		summary: "List the revisions of a transcript",
		description:
			"Returns the saved states of a job's transcript, newest first. The last one is revision 0, the engine's own result, which never changes.",
		tag: "Revisions",
		access: "batch:read",
		params: JobPath,
		query: ListRevisionsQuery,
		response: RevisionPage,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params, query }) => listRevisions(ctx, params.job_id, query),
);

revisionRoutes.route(
	{
		method: "post",
		path: "/v1/batch/jobs/{job_id}/revisions",
		operationId: "createRevision",
		summary: "Edit a transcript",
		description:
			"Applies edits to the latest revision and saves the result as a new one. Words keep their times. Changed words are re-timed inside the interval of the words that they replace, and marked as `edited`.\n\nIf another revision was saved since `base_revision`, or the ETag in `If-Match` is not that of the latest revision, nothing is saved. The answer is then 412, and `conflict` has what is needed to merge: the latest revision and the differences from the base to it.",
		tag: "Revisions",
		access: "batch:write",
		params: JobPath,
		body: CreateRevision,
		status: 201,
		location: "/v1/batch/jobs/{job_id}/revisions/{revision}",
		response: Revision,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
		etag: true,
		idempotent: true,
	},
	async ({ ctx, params, body, reply }) => {
		const saved = await createRevision(ctx, params.job_id, body);
		return reply(201, saved, { etag: saved.etag });
	},
);

revisionRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/revisions/{revision}",
		operationId: "getRevision",
		summary: "Get a revision",
		description:
			"Returns a revision with its differences from the one before it. Read its text as the transcript with the query `revision`.",
		tag: "Revisions",
		access: "batch:read",
		params: RevisionPath,
		response: RevisionDetails,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	async ({ ctx, params, reply }) => {
		const found = await getRevision(ctx, params.job_id, params.revision);
		return reply(200, found, { etag: found.etag });
	},
);

revisionRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/speakers",
		operationId: "listSpeakers",
		summary: "List the speakers of a transcript",
		description:
			"Returns who speaks in a revision, with words and time. Where only channels are known, they are the speakers.",
		tag: "Revisions",
		access: "batch:read",
		params: JobPath,
		query: GetSpeakersQuery,
		response: Speakers,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params, query }) => getSpeakers(ctx, params.job_id, query),
);

revisionRoutes.route(
	{
		method: "put",
		path: "/v1/batch/jobs/{job_id}/speakers",
		operationId: "updateSpeakers",
		summary: "Rename, merge or split speakers",
		description:
			"Saves a new revision whose words have other speakers. `rename` gives speakers new labels, and merges those that get the same one. `assign` gives ranges of words to a speaker, which splits one in two. A change that came too late is answered as by `createRevision`.",
		tag: "Revisions",
		access: "batch:write",
		params: JobPath,
		body: UpdateSpeakers,
		response: Revision,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
		etag: true,
	},
	async ({ ctx, params, body, reply }) => {
		const saved = await updateSpeakers(ctx, params.job_id, body);
		return reply(200, saved, { etag: saved.etag });
	},
);
