import { JobNotification, WebhookHeaders } from "@parley/contracts/batch/job-notification";
import { createApp } from "@parley/http/app";
import { batchPlane } from "@parley/http/planes/planes";
import { bulkRoutes } from "./bulk/bulk.routes.ts";
import { eventRoutes } from "./events/events.routes.ts";
import { fileRoutes } from "./files/files.routes.ts";
import { jobRoutes } from "./jobs/jobs.routes.ts";
import { AUDIO_LINK_PATH } from "./player/audio-link.ts";
import { playAudio } from "./player/play-audio.ts";
import { playerRoutes } from "./player/player.routes.ts";
import { revisionRoutes } from "./revisions/revisions.routes.ts";
import { searchRoutes } from "./search/search.routes.ts";
import { transcriptRoutes } from "./transcripts/transcripts.routes.ts";
import { uploadRoutes } from "./uploads/uploads.routes.ts";
import { deliveryRoutes } from "./webhooks/deliveries.routes.ts";
import { webhookSecretRoutes } from "./webhooks/webhook-secret.routes.ts";

export const app = createApp<Env>(
	{
		plane: batchPlane,
		title: "Parley batch API",
		description:
			"Asynchronous transcription. Audio arrives by URL, by upload or inline; transcripts are written as JSON, text and subtitles.",
		tags: {
			Batch: "Jobs that transcribe audio, their uploads, transcripts and files.",
			Revisions: "Edited states of a transcript, and its speakers. The engine's own result never changes.",
			Webhooks: "Signed notifications at the end of a job, and the secret that signs them.",
		},
		webhooks: {
			jobEnded: {
				operationId: "jobEnded",
				summary: "Job ended",
				description:
					"Sent to each URL of a job's `notification_config` when the job ends, by POST or PUT as configured. Any 2xx within 15 seconds counts as delivered. Otherwise the request is repeated after 30 s, 2 min, 10 min, 1 h and 6 h; a 410 ends the attempts. Verify the signature with a [Standard Webhooks](https://www.standardwebhooks.com) library and the organisation's secret, and discard repeated ids. See [Receive webhooks](/docs/guides/how-to/receive-webhooks).",
				tag: "Webhooks",
				headers: WebhookHeaders,
				body: JobNotification,
			},
		},
	},
	[
		jobRoutes,
		eventRoutes,
		transcriptRoutes,
		revisionRoutes,
		searchRoutes,
		bulkRoutes,
		playerRoutes,
		fileRoutes,
		uploadRoutes,
		deliveryRoutes,
		webhookSecretRoutes,
	],
);

// Not an operation of the API: browsers open it without a key, by the signed URL of `getJobAudio`.
app.get(AUDIO_LINK_PATH, (c) => playAudio(c.env, c.req.raw, c.req.param("job_id"), new Date()));
