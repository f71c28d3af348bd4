// The sandbox worker and a caller, each in a `wrangler dev` of its own, joined by a private dev registry.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { superviseProcesses } from "../../../scripts/lib/processes.ts";
import { ensureRuntime } from "../build/build-runtime.mjs";

const WORKER = join(import.meta.dirname, "..");
const WRANGLER = join(
	dirname(createRequire(import.meta.url).resolve("wrangler/package.json")),
	"wrangler-dist/cli.js",
);
const READY_WITHIN_MS = 60_000;

export type PythonStack = {
	/** Answers `POST /<method>` by calling that method of the sandbox. */
	callerUrl: string;
	/** Process ids of the sandbox worker's group leader. */
	pid: number;
	stop: () => Promise<void>;
};

export async function startPythonStack(vars: Record<string, string>): Promise<PythonStack> {
	await ensureRuntime();
	const state = mkdtempSync(join(tmpdir(), "parley-python-"));
	mkdirSync(join(state, "logs"));
	const failed = Promise.withResolvers<never>();
	failed.promise.catch(() => {});
	const processes = superviseProcesses(join(state, "logs"), (name, code) => {
		failed.reject(new Error(`${name} ended with code ${code}:\n${readLog(state, name)}`));
		return "leave";
	});
	const env = {
		WRANGLER_REGISTRY_PATH: join(state, "registry"),
		WRANGLER_LOG_PATH: join(state, "wrangler"),
		XDG_CONFIG_HOME: join(state, "config"),
		WRANGLER_SEND_METRICS: "false",
		CLOUDFLARE_CF_FETCH_ENABLED: "false",
		NO_COLOR: "1",
	};
	const dev = (name: string, config: string, more: string[] = []) =>
		processes.start(
			name,
			[
				process.execPath,
				WRANGLER,
				"dev",
				...["-c", join(WORKER, config), "--local", "--ip=127.0.0.1", "--port=0", "--inspector-port=0"],
				...[`--persist-to=${join(state, name)}`, "--show-interactive-dev-session=false", ...more],
			],
			{ env },
		);
	const stop = async () => {
		await processes.stop();
		rmSync(state, { recursive: true, force: true, maxRetries: 5 });
	};
	try {
		const settings = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
		const python = dev("python", "wrangler.toml", settings);
		dev("caller", "test/caller/wrangler.toml");
		const callerUrl = await Promise.race([untilConnected(state), failed.promise]);
		return { callerUrl, pid: python.pid ?? 0, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The address of the caller, once the sandbox answers it. */
async function untilConnected(state: string): Promise<string> {
	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		const url = /Ready on (http:\/\/127\.0\.0\.1:\d+)/.exec(readLog(state, "caller"))?.[1];
		if (url) {
			const answer = await fetch(`${url}/resolve`, { method: "POST", body: "[]" }).catch(() => undefined);
			if (answer?.ok) return url;
		}
		if (Date.now() > deadline)
			throw new Error(`not ready:\n${readLog(state, "python")}${readLog(state, "caller")}`);
		await sleep(50);
	}
}

function readLog(state: string, name: string): string {
	try {
		return readFileSync(join(state, "logs", `${name}.log`), "utf8");
	} catch {
		return "";
	}
}
