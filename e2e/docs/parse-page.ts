/** One command of a `console` block and the output that the page shows for it. */
export type Command = { kind: "command"; text: string; output: string; line: number };
/** A block that the page tells the reader to save as a file. */
export type File = { kind: "file"; name: string; text: string; line: number };
export type Step = Command | File;

/** Steps of a page in order, and the blocks that the tests skip, with the reason. */
export type Page = { steps: Step[]; skipped: { line: number; reason: string }[] };

const FENCE = /^```(\w*)\s*$/;
const DIRECTIVE = /^<!-- docs-test: (run|skip|file)(?: (.+?))? -->$/;

/**
 * Parses the fenced blocks of a Markdown page. `console` blocks are commands with their output. A comment on the line above a
 * block changes that: `<!-- docs-test: skip REASON -->` leaves it out, `<!-- docs-test: run -->` runs a block of another kind as
 * one command, `<!-- docs-test: file NAME -->` saves it.
 * @throws Error when a block does not end, or a directive has no block.
 */
export function parsePage(markdown: string): Page {
	const page: Page = { steps: [], skipped: [] };
	const lines = markdown.split("\n");
	for (let at = 0; at < lines.length; at++) {
		const language = FENCE.exec(lines[at] ?? "")?.[1];
		if (language === undefined) continue;
		const end = lines.indexOf("```", at + 1);
		if (end < 0) throw new Error(`The block in line ${at + 1} has no end`);
		const [, directive, argument = ""] = DIRECTIVE.exec(previousLine(lines, at)) ?? [];
		const text = lines.slice(at + 1, end).join("\n");
		const line = at + 2;
		if (directive === "skip") page.skipped.push({ line, reason: argument });
		else if (directive === "file") page.steps.push({ kind: "file", name: argument, text: `${text}\n`, line });
		else if (directive === "run") page.steps.push({ kind: "command", text, output: "…", line });
		else if (language === "console") page.steps.push(...parseConsole(text, line));
		at = end;
	}
	return page;
}

/** Returns the line above a block, blank lines aside. */
function previousLine(lines: string[], at: number): string {
	let above = at - 1;
	while (above > 0 && lines[above] === "") above--;
	return lines[above] ?? "";
}

/** Parses `$ command` lines, which go on while they end in a backslash, each with the output below it. */
function parseConsole(text: string, firstLine: number): Command[] {
	const commands: Command[] = [];
	const lines = text.split("\n");
	let isContinued = false;
	for (const [index, line] of lines.entries()) {
		const last = commands.at(-1);
		if (isContinued && last) last.text += `\n${line}`;
		else if (line.startsWith("$ ")) {
			commands.push({ kind: "command", text: line.slice(2), output: "", line: firstLine + index });
		} else if (last) last.output += `${line}\n`;
		isContinued = (isContinued || line.startsWith("$ ")) && line.endsWith("\\");
	}
	for (const command of commands) command.output = command.output.trimEnd();
	return commands;
}
