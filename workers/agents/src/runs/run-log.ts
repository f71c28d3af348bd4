const MAX_LINES = 1000;
const MAX_BYTES = 64 * 1024;
const MAX_LINE_LENGTH = 2000;

export type RunLog = {
	/** Adds one line. Drops whatever exceeds the limits. */
	add: (line: string) => void;
	/** Adds lines that a tool printed, which may be longer than our own. `wasCut` says that the sandbox has dropped some. */
	print: (lines: readonly string[], wasCut?: boolean) => void;
	lines: () => string[];
	/** Returns true if any text was dropped. */
	isTruncated: () => boolean;
};

/**
 * Creates the log of a run: at most 1,000 lines and 64 KiB of UTF-8. Lines of Parley itself have at most 2,000 characters.
 * @param scrub removes secrets from each text before it is cut, because half a secret would not be found.
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
				const fitted = truncateUtf8(line, bytesLeft);
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

/** Returns the longest beginning of a text that fits into `maxBytes` of UTF-8. */
export function truncateUtf8(text: string, maxBytes: number): string {
	const bytes = new TextEncoder().encode(text);
	if (bytes.byteLength <= maxBytes) return text;
	// In stream mode, the decoder drops a character that the cut has split.
	return new TextDecoder().decode(bytes.subarray(0, Math.max(0, maxBytes)), { stream: true });
}
