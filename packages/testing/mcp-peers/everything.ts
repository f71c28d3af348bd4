import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";

export type Everything = { url: string; stop: () => void };

const PATHS: Record<string, string> = { streamableHttp: "/mcp", sse: "/sse" };
const MAX_WAIT_MS = 20_000;

/** The protocol's own reference server, as its package starts it. */
export async function startEverything(transport: string): Promise<Everything> {
	const manifest = createRequire(import.meta.url).resolve(
		"@modelcontextprotocol/server-everything/package.json",
	);
	const port = await freePort();
	const child = spawn(process.execPath, [join(dirname(manifest), "dist", "index.js"), transport], {
		env: { ...process.env, PORT: String(port) },
		stdio: "ignore",
	});
	const url = `http://127.0.0.1:${port}${PATHS[transport]}`;
	const until = Date.now() + MAX_WAIT_MS;
	// The stream of the older transport never ends: an answer's head is all that is waited for.
	while (!(await fetch(url, { method: "OPTIONS" }).catch(() => undefined))) {
		if (Date.now() > until) throw new Error(`server-everything does not start with ${transport}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return { url, stop: () => child.kill() };
}

async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
	const address = probe.address();
	await new Promise((resolve) => probe.close(resolve));
	return typeof address === "object" && address ? address.port : 0;
}
