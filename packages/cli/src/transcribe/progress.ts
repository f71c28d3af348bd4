import { stripVTControlCharacters } from "node:util";
import cliTruncate from "cli-truncate";
import { createLogUpdate } from "log-update";
import stringWidth from "string-width";

const REDRAW_MS = 250;
const BAR_WIDTH = 20;
/** Terminals narrower than this show no bar. */
const MIN_COLUMNS_FOR_BAR = 60;

/** Progress of one input. Fractions are from 0 to 1. */
export type InputProgress = {
	/** Shows a stage, how far it is, and the seconds that it will still take, if known. */
	update: (stage: string, fraction: number, secondsLeft?: number) => void;
	/** Prints a line that stays. */
	note: (text: string) => void;
	end: (stage: string) => void;
};

export type Progress = {
	add: (name: string) => InputProgress;
	/** Writes text to standard output without mixing it into the progress lines. */
	print: (text: string) => void;
	stop: () => void;
};

/** Shows progress on standard error: one line per input on a terminal, elsewhere one line per change of stage. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
	return stream.isTTY ? terminalProgress(stream) : lineProgress();
}

type Line = {
	name: string;
	stage: string;
	fraction: number;
	secondsLeft?: number | undefined;
	startedAt: number;
};

function terminalProgress(stream: NodeJS.WriteStream): Progress {
	const live = createLogUpdate(stream);
	const lines = new Set<Line>();
	const draw = () => {
		const columns = stream.columns || 80;
		const visible = [...lines].slice(0, Math.max(1, (stream.rows || 24) - 2));
		const hidden = lines.size - visible.length;
		const text = visible.map((line) => formatLine(line, Date.now(), columns));
		if (hidden > 0) text.push(`and ${hidden} more`);
		if (text.length > 0) live(text.join("\n"));
		else live.clear();
	};
	/** Output of both streams shares one screen, so the progress lines go away while something else is written. */
	const aside = (write: () => void) => {
		live.clear();
		write();
		draw();
	};
	const timer = setInterval(draw, REDRAW_MS);
	return {
		add: (name) => {
			const line: Line = { name: printable(name), stage: "waiting", fraction: 0, startedAt: Date.now() };
			lines.add(line);
			draw();
			return {
				update: (stage, fraction, secondsLeft) => {
					Object.assign(line, { stage, fraction, secondsLeft });
					draw();
				},
				note: (text) => aside(() => stream.write(`${line.name}: ${text}\n`)),
				end: () => {
					lines.delete(line);
					draw();
				},
			};
		},
		print: (text) => aside(() => process.stdout.write(text)),
		stop: () => {
			clearInterval(timer);
			live.clear();
			live.done();
		},
	};
}

function lineProgress(): Progress {
	return {
		add: (given) => {
			const name = printable(given);
			let last = "";
			const update = (stage: string) => {
				if (stage !== last) console.error(`${name}: ${stage}`);
				last = stage;
			};
			return { update, note: (text) => console.error(`${name}: ${text}`), end: update };
		},
		print: (text) => process.stdout.write(text),
		stop: () => {},
	};
}

/** Formats one line of progress so that it fits the terminal. */
export function formatLine(line: Line, now: number, columns: number): string {
	const percent = `${Math.floor(line.fraction * 100)}%`.padStart(4);
	const filled = Math.round(line.fraction * BAR_WIDTH);
	const bar = columns < MIN_COLUMNS_FOR_BAR ? "" : `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} `;
	const elapsed = formatSeconds((now - line.startedAt) / 1000);
	const left = line.secondsLeft === undefined ? "" : `, about ${formatSeconds(line.secondsLeft)} left`;
	const status = `${bar}${percent} ${line.stage} ${elapsed}`;
	const whole = `${status}${left}`;
	// The last column stays free: some terminals wrap when it is written.
	const width = columns - 1;
	const shown = stringWidth(whole) + 12 <= width ? whole : status;
	const nameWidth = Math.max(8, width - stringWidth(shown) - 1);
	return cliTruncate(`${cliTruncate(line.name, nameWidth, { position: "middle" })} ${shown}`, width);
}

/** Formats a duration: `9 s`, `2 min 05 s`, `1 h 02 min`. */
export function formatSeconds(seconds: number): string {
	const whole = Math.max(0, Math.round(seconds));
	const two = (value: number) => String(value).padStart(2, "0");
	if (whole < 60) return `${whole} s`;
	if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
	return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** Removes what a file name could do to a terminal. */
export const printable = (text: string): string => stripVTControlCharacters(text).replaceAll(/\p{Cc}/gu, "?");
