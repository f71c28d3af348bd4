import { EXIT } from "./exit-codes.ts";

/** Progress of an input at the time of an interruption. */
export type InputState = { at: "unsent" } | { at: "parts" } | { at: "job"; jobId: string } | { at: "ended" };

/** Says what happens to an interrupted input and how to get its transcript. Returns undefined for an ended one. */
export function describeInterrupted(input: string, state: InputState, format: string): string | undefined {
	switch (state.at) {
		case "unsent":
			return `${input}: no job yet; run the same command again`;
		case "parts":
			return `${input}: the upload is unfinished; run the same command again to resume it`;
		case "job":
			return `${input}: ${state.jobId} continues; \`parley transcript ${state.jobId} --format ${format}\` prints its transcript`;
		case "ended":
			return undefined;
	}
}

/** Prints `lastLines` when a signal stops the command, which then exits with status 130. Returns a function that undoes this. */
export function onInterrupt(lastLines: () => string[]): () => void {
	const stop = () => {
		for (const line of lastLines()) console.error(line);
		process.exit(EXIT.interrupted);
	};
	// `on`, not `once`: a terminal and npx may both send the signal, and a second one would cut the output off.
	process.on("SIGINT", stop).on("SIGTERM", stop);
	return () => process.off("SIGINT", stop).off("SIGTERM", stop);
}
