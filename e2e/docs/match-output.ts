/** Values that differ from run to run, and what stands for each in a comparison. */
const VOLATILE: [RegExp, string][] = [
	[/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>"],
	[/\bjob[0-9a-f]{32}\b/g, "<job>"],
	[/\b[0-9a-f]{64}\b/g, "<hash>"],
	[/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
	[/\b\d\d:\d\d:\d\d[,.]\d{3}\b/g, "<cue time>"],
	[/\bparley_(cu|bt|ag|st)_\w+/g, "<key>"],
	[/http:\/\/(127\.0\.0\.1|localhost):\d+/g, "<origin>"],
	[/"latency_ms":\d+/g, '"latency_ms":<n>'],
	[/\b\d+(\.\d+)? (ms|s|kB|MB)\b/g, "<n> $2"],
];

/**
 * Returns whether output is what a page shows. In the page `…` stands for any text within a line, and a line of `…` alone for any
 * number of lines. Ids, times (also those of subtitles, which the
 * offline engine varies), keys, addresses and durations may differ.
 */
export function matchesOutput(shown: string, actual: string): boolean {
	const pattern = normalise(shown)
		.split("\n")
		.map((line) =>
			line.trim() === "…" ? "(?:.*\\n)*?" : `${line.split(/ ?… ?/).map(escapePattern).join(".*")}\\n`,
		)
		.join("");
	return new RegExp(`^${pattern}$`).test(`${normalise(actual)}\n`);
}

function normalise(text: string): string {
	const trimmed = text
		.replaceAll(/^npm warn .*\n/gm, "")
		.replaceAll(/[ \t\r]+$/gm, "")
		.trim();
	return VOLATILE.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), trimmed);
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
