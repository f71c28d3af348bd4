import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

export const BIN = join(import.meta.dirname, "../bin/parley.mjs");

export type CommandResult = { code: number | null; stdout: string; stderr: string };

/** Runs a program without a terminal until its streams close. `onError` gets what has come on standard error so far. */
export async function runCommand(
	program: string,
	args: string[],
	env: NodeJS.ProcessEnv,
	onError: (text: string, child: ChildProcess) => void = () => {},
): Promise<CommandResult> {
	const child = spawn(program, args, { env });
	let [stdout, stderr] = ["", ""];
	child.stdout.on("data", (text) => {
		stdout += text;
	});
	child.stderr.on("data", (text) => {
		stderr += text;
		onError(stderr, child);
	});
	const code = await new Promise<number | null>((closed) => child.once("close", closed));
	return { code, stdout, stderr };
}
