// How the call looks on a terminal.
import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];
const paint = (style: Style, text: string): string => styleText(style, text);

export const WIDTH = 100;
const NAME_WIDTH = 8;

export function title(text: string): void {
	console.log(`\n${paint("bold", text)}\n${paint("dim", "─".repeat(WIDTH))}`);
}

/** One fact, with what it rests on below it. */
export function fact(text: string, detail?: string): void {
	console.log(`  ${paint("green", "✓")} ${text}`);
	if (detail) for (const line of wrap(detail, WIDTH - 4)) console.log(`    ${paint("dim", line)}`);
}

const STYLES = { agent: "cyan", caller: "yellow", tool: "magenta", runtime: "green", team: "blue" } as const;

/** One line of the call: seconds since it began, who, what. */
export function line(seconds: number, who: keyof typeof STYLES, text: string): void {
	const time = paint("dim", seconds.toFixed(2).padStart(6));
	const [first = "", ...rest] = wrap(text, WIDTH - NAME_WIDTH - 10);
	console.log(`${time}  ${paint(STYLES[who], who.padEnd(NAME_WIDTH))} ${first}`);
	for (const more of rest) console.log(`${" ".repeat(NAME_WIDTH + 9)}${more}`);
}

export function table(head: string[], rows: string[][]): void {
	const widths = head.map((name, column) =>
		Math.max(name.length, ...rows.map((row) => (row[column] ?? "").length)),
	);
	const text = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
	console.log(`  ${paint("dim", text(head).trimEnd())}`);
	for (const row of rows) console.log(`  ${text(row).trimEnd()}`);
}

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
