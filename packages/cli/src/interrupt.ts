/** How far an input has come when the command is interrupted. */
export type Standing = { at: "unsent" } | { at: "parts" } | { at: "job"; jobId: string } | { at: "ended" };

/** What becomes of an interrupted input, and how to come by its transcript. Nothing of one that has ended. */
export function partingWord(input: string, standing: Standing, format: string): string | undefined {
	switch (standing.at) {
		case "unsent":
			return `${input}: no job yet; give the same command again`;
		case "parts":
			return `${input}: the upload is unfinished; the same command goes on with it`;
		case "job":
			return `${input}: ${standing.jobId} goes on; \`parley transcript ${standing.jobId} --format ${format}\` gives what it hears`;
		case "ended":
			return undefined;
	}
}

/** Has the last word when the command is stopped from outside, which then ends with status 130. @returns what undoes it */
export function onInterrupt(lastWords: () => string[]): () => void {
	const stop = () => {
		for (const line of lastWords()) console.error(line);
		process.exit(130);
	};
	// Not once: a terminal and npx may both send it, and the second would cut the words off.
	process.on("SIGINT", stop).on("SIGTERM", stop);
	return () => process.off("SIGINT", stop).off("SIGTERM", stop);
}
