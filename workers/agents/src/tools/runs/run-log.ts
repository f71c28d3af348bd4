const MAX_LINES = 1000;
const MAX_BYTES = 64 * 1024;
const MAX_LINE_LENGTH = 2000;

export type RunLog = {
	/** Adds one line; what passes the bounds is dropped. */
	add: (line: string) => void;
	lines: () => string[];
};

/**
 * The log of a run: at most 1,000 lines of 2,000 characters, and 64 KiB of UTF-8.
 * @param scrub what each line goes through first.
 */
export function createRunLog(scrub: (text: string) => string): RunLog {
	const lines: string[] = [];
	let bytes = 0;
	let isFull = false;
	return {
		add: (line) => {
			// Cut after scrubbing: half a secret would not be found.
			const text = scrub(line).slice(0, MAX_LINE_LENGTH).toWellFormed();
			bytes += new TextEncoder().encode(text).byteLength;
			isFull ||= lines.length === MAX_LINES || bytes > MAX_BYTES;
			if (!isFull) lines.push(text);
		},
		lines: () => [...lines],
	};
}
