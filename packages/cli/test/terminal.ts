import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { BIN } from "./run-command.ts";

export type Terminal = {
	/** Lines that a person sees now, without trailing blanks. */
	screen: () => string[];
	/** Resolves once the screen fulfils a condition. */
	until: (condition: (screen: string[]) => boolean) => Promise<void>;
	/** Exit status of the command. */
	exited: Promise<number>;
};

/** Runs `parley` in a pseudo-terminal. */
export function runInTerminal(args: string[], env: NodeJS.ProcessEnv, columns: number): Terminal {
	const terminal = new xterm.Terminal({ cols: columns, rows: 24, allowProposedApi: true });
	const pty = spawn(process.execPath, [BIN, ...args], { cols: columns, rows: 24, env });
	const screen = () => {
		const buffer = terminal.buffer.active;
		const lines = Array.from({ length: buffer.length }, (_, index) =>
			(buffer.getLine(index)?.translateToString(true) ?? "").trimEnd(),
		);
		while (lines.at(-1) === "") lines.pop();
		return lines;
	};
	const waiting = new Set<() => void>();
	pty.onData((data) => terminal.write(data, () => waiting.forEach((check) => void check())));
	return {
		screen,
		until: (condition) =>
			new Promise((done) => {
				const check = () => {
					if (!condition(screen())) return;
					waiting.delete(check);
					done();
				};
				waiting.add(check);
				check();
			}),
		exited: new Promise((done) => {
			pty.onExit(({ exitCode }) => terminal.write("", () => done(exitCode)));
		}),
	};
}
