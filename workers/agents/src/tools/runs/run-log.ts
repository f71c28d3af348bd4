const MAX_LINES = 1000;
const MAX_BYTES = 64 * 1024;
const MAX_LINE_LENGTH = 2000;

export type RunLog = {
	/** Adds one line; what passes the bounds is dropped. */
	add: (line: string) => void;
	/** Adds what a tool printed, whose lines may be longer than ours. */
	print: (lines: readonly string[]) => void;
	lines: () => string[];
};

/**
 * The log of a run: at most 1,000 lines, and 64 KiB of UTF-8; a line of ours has at most 2,000 characters.
 * @param scrub what each text goes through first. Cuts come after it: half a secret would not be found.
 */
export function createRunLog(scrub: (text: string) => string): RunLog {
	const lines: string[] = [];
	let bytesLeft = MAX_BYTES;
	const isFull = () => lines.length === MAX_LINES || bytesLeft < 0;
	const push = (line: string): void => {
		bytesLeft -= new TextEncoder().encode(line).byteLength;
		if (!isFull()) lines.push(line);
	};
	return {
		add: (line) => push(scrub(line).slice(0, MAX_LINE_LENGTH).toWellFormed()),
		print: (printed) => {
			for (const line of printed.length > 0 ? scrub(printed.join("\n")).split("\n") : []) {
				const fitted = fitting(line, bytesLeft);
				push(fitted);
				if (fitted !== line) bytesLeft = -1;
			}
		},
		lines: () => [...lines],
	};
}

/** As much of a text as has at most so many bytes of UTF-8. */
function fitting(text: string, maxBytes: number): string {
	const bytes = new TextEncoder().encode(text);
	if (bytes.byteLength <= maxBytes) return text;
	// A character that the cut splits is left out.
	return new TextDecoder().decode(bytes.subarray(0, Math.max(0, maxBytes)), { stream: true });
}
