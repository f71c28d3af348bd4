import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { bootstrapCommand } from "./bootstrap.ts";
import { EXIT } from "./exit-codes.ts";
import { jobsCommand } from "./jobs.ts";
import { transcribeCommand } from "./transcribe/transcribe.ts";
import { transcriptCommand } from "./transcribe/transcript.ts";

// The reader of a pipe may stop early, as `head` does. That is not a failure.
for (const stream of [process.stdout, process.stderr]) {
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code === "EPIPE") process.exit(0);
		throw error;
	});
}

const program = new Command("parley")
	.description("Transcribe speech with Parley")
	.version(packageJson.version, "-V, --version")
	.showHelpAfterError("Run `parley --help` for usage.")
	.showSuggestionAfterError()
	.configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "parley: ")) });
for (const command of [transcribeCommand, transcriptCommand, jobsCommand, bootstrapCommand]) {
	program.addCommand(command.copyInheritedSettings(program).exitOverride());
}
program.exitOverride().addHelpText(
	"after",
	`
Reads PARLEY_URL and PARLEY_API_KEY, or the dev.json that \`npm start\` wrote.
Exit status: 0 done, 1 failed, 2 usage, 3 not found, 4 refused by the service,
5 service unreachable.`,
);

try {
	await program.parseAsync();
} catch (error) {
	// Commander has already printed its message.
	if (!(error instanceof CommanderError)) throw error;
	process.exitCode = error.exitCode === 0 ? 0 : EXIT.usage;
}
