import { createApp } from "@parley/http/app";
import { batchPlane } from "@parley/http/planes";

export const app = createApp<Env>(
	{
		plane: batchPlane,
		title: "Parley batch API",
		version: "1.0.0",
		description: "Asynchronous transcription: audio in by URL, presigned upload or inline; transcripts out.",
	},
	[],
);
