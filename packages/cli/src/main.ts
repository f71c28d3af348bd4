import { defineCommand, runMain } from "citty";
import { bootstrapCommand } from "./bootstrap.ts";
import { jobsCommand } from "./jobs.ts";
import { transcribeCommand } from "./transcribe.ts";
import { transcriptCommand } from "./transcript.ts";

await runMain(
	defineCommand({
		meta: { name: "parley", description: "Speech to text with Parley" },
		subCommands: {
			transcribe: transcribeCommand,
			transcript: transcriptCommand,
			jobs: jobsCommand,
			bootstrap: bootstrapCommand,
		},
	}),
);
