import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));

/** Returns the address in the line that the server prints when it is ready. */
async function address(output: NodeJS.ReadableStream): Promise<string> {
	const [line] = await once(output, "data");
	const [, url] = /^speech-server listening on (http:\S+)\n$/.exec(String(line)) ?? [];
	return url ?? `unexpected output: ${line}`;
}

const isUp = (url: string) =>
	fetch(`${url}/health`).then(
		(response) => response.ok,
		() => false,
	);

test("the server prints its address and ends on a signal", async () => {
	for (const signal of ["SIGTERM", "SIGINT"] as const) {
		const server = spawn(process.execPath, [MAIN, "--port", "0", "--threads", "1"], { stdio: "pipe" });
		expect(await isUp(await address(server.stdout))).toBe(true);
		server.kill(signal);
		expect(await once(server, "exit")).toEqual([0, null]);
	}
});

test("the server ends with its parent if --die-with-parent is set", async () => {
	const start = `const { spawn } = require("node:child_process");
		spawn(process.execPath, ${JSON.stringify([MAIN, "--port", "0", "--die-with-parent"])}, { stdio: "inherit" });`;
	const parent = spawn(process.execPath, ["-e", start], { stdio: "pipe" });
	const url = await address(parent.stdout);
	expect(await isUp(url)).toBe(true);
	parent.kill("SIGKILL");
	await expect.poll(() => isUp(url)).toBe(false);
});

test("invalid arguments are rejected with the usage", async () => {
	for (const wrong of [["--port", "x"], ["--threads", "0"], ["--nonsense"]]) {
		const server = spawn(process.execPath, [MAIN, ...wrong], { stdio: "pipe" });
		const [[text], [code]] = await Promise.all([once(server.stderr, "data"), once(server, "exit")]);
		expect(String(text)).toContain("usage:");
		expect(code).toBe(2);
	}
});
