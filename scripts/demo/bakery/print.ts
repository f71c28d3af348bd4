// How the call looks on a terminal.
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];
const paint = (style: Style, text: string): string => styleText(style, text);
const dim = (text: string): string => paint("dim", text);

const WIDTH = 100;
/** Columns in front of what is said: the time and who. */
const MARGIN = 17;

export function title(text: string, detail = ""): void {
	console.log(`\n${paint("bold", text)}${detail && dim(`  ${detail}`)}\n${dim("─".repeat(WIDTH))}`);
}

/** One fact, with what it rests on below it. */
export function fact(text: string, detail?: string): void {
	console.log(`  ${paint("green", "✓")} ${text}`);
	if (detail) for (const line of wrap(detail, WIDTH - 4)) console.log(`    ${dim(line)}`);
}

const STYLES = { agent: "cyan", caller: "yellow", tool: "magenta", runtime: "green", team: "blue" } as const;

/** One line of the call: seconds since it began, who, what. A caller's line begins a paragraph. */
export function line(seconds: number, who: keyof typeof STYLES, text: string): void {
	const [first = "", ...rest] = wrap(text, WIDTH - MARGIN);
	console.log(`${who === "caller" ? "\n" : ""}${start(seconds, who)}${first}`);
	for (const more of rest) console.log(" ".repeat(MARGIN) + more);
}

export type ToolLine = {
	name: string;
	version: number | null;
	args: Record<string, unknown>;
	result: unknown;
	ms: number;
};

/** A tool call in two lines: what was asked, with the time that it took, and what came back. */
export function toolLine(seconds: number, { name, version, args, result, ms }: ToolLine): void {
	const asked = cut(
		[name, version === null ? "" : `v${version}`, pairs(args)].filter(Boolean).join("  "),
		70,
	);
	const took = `${Math.round(ms)} ms`;
	const gap = " ".repeat(WIDTH - MARGIN - asked.length - took.length);
	console.log(`${start(seconds, "tool")}${asked.replace(name, paint("magenta", name))}${gap}${dim(took)}`);
	console.log(" ".repeat(MARGIN) + dim(`→ ${cut(pairs(result), WIDTH - MARGIN - 2)}`));
}

/** A table as wide as the page: the last column is cut. */
export function table(head: string[], rows: string[][]): void {
	const all = [head, ...rows];
	const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
	const text = (row: string[]) => {
		const cells = row.slice(0, -1).map((cell, column) => cell.padEnd(widths[column] ?? 0));
		const before = cells.map((cell) => `${cell}  `).join("");
		return before + cut(row.at(-1) ?? "", WIDTH - 2 - before.length);
	};
	console.log(`  ${dim(text(head))}`);
	for (const row of rows) console.log(`  ${text(row)}`);
}

/** Formats a JSON value in one line: `order: 4711, day: Monday`. */
export function pairs(value: unknown): string {
	if (typeof value !== "object" || value === null) return String(value ?? "");
	return Object.entries(value)
		.map(([key, member]) => `${key}: ${typeof member === "object" ? JSON.stringify(member) : member}`)
		.join(", ");
}

const start = (seconds: number, who: keyof typeof STYLES): string =>
	`${dim(seconds.toFixed(2).padStart(6))}  ${paint(STYLES[who], who.padEnd(MARGIN - 8))}`;

const cut = (text: string, width: number): string =>
	text.length <= width ? text : `${text.slice(0, width - 1)}…`;

function wrap(text: string, width: number): string[] {
	const lines: string[] = [];
	let current = "";
	for (const word of text.split(" ")) {
		if (current !== "" && current.length + 1 + word.length > width) {
			lines.push(current);
			current = word;
		} else current = current === "" ? word : `${current} ${word}`;
	}
	return [...lines, current];
}
