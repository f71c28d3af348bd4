// The offline speech engine by itself, for scripts that ask it directly.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { sleep } from "./processes/processes.ts";
import { root } from "./settings/configs.ts";
import { freePort } from "./stack.ts";

/** @returns where it answers, once it does. It ends with this process. */
export async function startSpeech(): Promise<{ url: string; stop: () => void }> {
	const port = await freePort();
	const main = join(root, "packages/speech-server/src/main.ts");
	const child = spawn(process.execPath, [main, "--port", String(port), "--die-with-parent"], {
		stdio: "ignore",
	});
	const url = `http://127.0.0.1:${port}`;
	while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) {
		if (child.exitCode !== null) throw new Error(`The speech engine ended with code ${child.exitCode}`);
		await sleep(100);
	}
	return { url, stop: () => void child.kill() };
}
