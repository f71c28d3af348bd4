const MAX_LINES = 1000;
const MAX_BYTES = 64 * 1024;
const MAX_LINE_LENGTH = 2000;

export type RunLog = {
	/** Adds one line; what passes the bounds is dropped. */
	add: (line: string) => void;
	/** Adds what a tool printed, whose lines may be longer than ours; `wasCut` when it printed more than that. */
	print: (lines: readonly string[], wasCut?: boolean) => void;
	lines: () => string[];
	/** Whether any of what was written is not in the lines. */
	isTruncated: () => boolean;
};

/**
 * The log of a run: at most 1,000 lines, and 64 KiB of UTF-8; a line of ours has at most 2,000 characters.
 * @param scrub what each text goes through first. Cuts come after it: half a secret would not be found.
 */
export function createRunLog(scrub: (text: string) => string): RunLog {
	const lines: string[] = [];
	let bytesLeft = MAX_BYTES;
	let isTruncated = false;
	const isFull = () => lines.length === MAX_LINES || bytesLeft < 0;
	const push = (line: string): void => {
		bytesLeft -= new TextEncoder().encode(line).byteLength;
		if (isFull()) isTruncated = true;
		else lines.push(line);
	};
	return {
		add: (line) => {
			const scrubbed = scrub(line);
			if (scrubbed.length > MAX_LINE_LENGTH) isTruncated = true;
			push(scrubbed.slice(0, MAX_LINE_LENGTH).toWellFormed());
		},
		print: (printed, wasCut = false) => {
			if (wasCut) isTruncated = true;
			for (const line of printed.length > 0 ? scrub(printed.join("\n")).split("\n") : []) {
				const fitted = fitting(line, bytesLeft);
				push(fitted);
				if (fitted === line) continue;
				bytesLeft = -1;
				isTruncated = true;
			}
		},
		lines: () => [...lines],
		isTruncated: () => isTruncated,
	};
}

/** As much of a text as has at most so many bytes of UTF-8. */
function fitting(text: string, maxBytes: number): string {
	const bytes = new TextEncoder().encode(text);
	if (bytes.byteLength <= maxBytes) return text;
	// A character that the cut splits is left out.
	return new TextDecoder().decode(bytes.subarray(0, Math.max(0, maxBytes)), { stream: true });
}
