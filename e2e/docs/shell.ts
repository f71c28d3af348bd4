import { spawn } from "node:child_process";
import { matchesOutput } from "./match-output.ts";

const COMMAND_TIMEOUT_MS = 120_000;
/** Time in which a process in the background may still print what the page shows. */
const BACKGROUND_OUTPUT_MS = 20_000;

export type Shell = {
	/** Runs a command and resolves to its output once it matches, or to what there is when it never does. */
	run: (command: string, shown: string) => Promise<string>;
	stop: () => void;
};

/** Starts one bash for a whole page, so that variables and background processes last as they do for a reader. */
export function startShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
	const bash = spawn("bash", ["--norc", "--noprofile"], { cwd, env, detached: true });
	let output = "";
	let onOutput = () => {};
	for (const stream of [bash.stdout, bash.stderr]) {
		stream.setEncoding("utf8").on("data", (text: string) => {
			output += text;
			onOutput();
		});
	}
	bash.stdin.write("exec 2>&1\n");
	const waitFor = async (condition: () => boolean, ms: number) => {
		const { promise, resolve } = Promise.withResolvers<void>();
		const timer = setTimeout(resolve, ms);
		onOutput = () => condition() && resolve();
		onOutput();
		await promise;
		clearTimeout(timer);
	};
	let count = 0;
	return {
		run: async (command, shown) => {
			const end = `--end-of-command-${++count}--`;
			output = "";
			bash.stdin.write(`${command}\necho; echo ${end}\n`);
			await waitFor(() => output.includes(end), COMMAND_TIMEOUT_MS);
			const text = () => output.replace(new RegExp(`\\n?${end}\\n?`), "");
			await waitFor(() => matchesOutput(shown, text()), BACKGROUND_OUTPUT_MS);
			return text().trim();
		},
		stop: () => {
			try {
				// The group holds whatever the page started in the background.
				if (bash.pid) process.kill(-bash.pid, "SIGKILL");
			} catch {
				// It has ended already.
			}
		},
	};
}
