import { createApp } from "@parley/http/app";
import { batchPlane } from "@parley/http/planes";
import { fileRoutes } from "./files/files.routes.ts";
import { jobRoutes } from "./jobs/jobs.routes.ts";
import { transcriptRoutes } from "./transcripts/transcripts.routes.ts";
import { uploadRoutes } from "./uploads/uploads.routes.ts";
import { deliveryRoutes } from "./webhooks/deliveries.routes.ts";
import { webhookSecretRoutes } from "./webhooks/webhook-secret.routes.ts";

export const app = createApp<Env>(
	{
		plane: batchPlane,
		title: "Parley batch API",
		description:
			"Asynchronous transcription: audio in by URL, presigned upload (in parts, if large) or inline; transcripts out.",
	},
	[jobRoutes, transcriptRoutes, fileRoutes, uploadRoutes, deliveryRoutes, webhookSecretRoutes],
);
