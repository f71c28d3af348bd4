// The sandbox worker and a caller, each in a process of its own, joined by a private dev registry.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWorkers } from "@parley/dev-stack/build/build-workers";
import { superviseProcesses } from "@parley/dev-stack/processes/processes";
import { prepareWorkers, startService } from "@parley/dev-stack/serve/service";
import { renderLocalConfigs } from "@parley/dev-stack/settings/configs";
import { freePort } from "@parley/dev-stack/stack";

const CALLER = join(import.meta.dirname, "caller");
const READY_WITHIN_MS = 60_000;

export type PythonStack = {
	/** Answers `POST /<method>` by calling that method of the sandbox. */
	callerUrl: string;
	/** Process ids of the sandbox worker's group leader. */
	pid: number;
	stop: () => Promise<void>;
};

export async function startPythonStack(vars: Record<string, string>): Promise<PythonStack> {
	const state = mkdtempSync(join(tmpdir(), "parley-python-"));
	mkdirSync(join(state, "logs"));
	const failed = Promise.withResolvers<never>();
	failed.promise.catch(() => {});
	const processes = superviseProcesses(join(state, "logs"), (name, code) => {
		failed.reject(new Error(`${name} ended with code ${code}:\n${readLog(state, name)}`));
		return "leave";
	});
	const stop = async () => {
		await processes.stop();
		rmSync(state, { recursive: true, force: true, maxRetries: 5 });
	};
	const serve = (name: string, modules: string, port: number) =>
		startService(processes, name, {
			port,
			data: join(state, name),
			registry: join(state, "registry"),
			workers: [{ config: join(state, "config", name), modules }],
		});
	try {
		const storage = { R2_ACCESS_KEY_ID: "test-access-key", R2_SECRET_ACCESS_KEY: "test-secret-key" };
		const { python: config } = renderLocalConfigs(join(state, "config"), { ...storage, ...vars });
		const [modules] = await Promise.all([
			buildWorkers({}, ["python"]),
			prepareWorkers({ configs: [config, writeCallerConfig(join(state, "config/caller"))] }),
		]);
		const port = await freePort();
		const python = serve("python", modules.python, await freePort());
		const caller = serve("caller", CALLER, port);
		await Promise.race([Promise.all([python.ready, caller.ready]), failed.promise]);
		const callerUrl = `http://127.0.0.1:${port}`;
		await Promise.race([untilConnected(callerUrl, state), failed.promise]);
		return { callerUrl, pid: python.process.pid ?? 0, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** The caller stands for the agents worker: it calls the sandbox over a service binding, from a process of its own. */
function writeCallerConfig(folder: string): string {
	mkdirSync(folder, { recursive: true });
	const path = join(folder, "wrangler.json");
	const config = {
		name: "python-test-caller",
		main: join(CALLER, "worker.js"),
		compatibility_date: "2026-09-18",
		services: [{ binding: "PYTHON", service: "parley-python", entrypoint: "PythonSandbox" }],
	};
	writeFileSync(path, JSON.stringify(config));
	return path;
}

/** Waits until the sandbox answers the caller: each finds the other a moment after both are ready. */
async function untilConnected(callerUrl: string, state: string): Promise<void> {
	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		const answer = await fetch(`${callerUrl}/resolve`, { method: "POST", body: "[]" }).catch(() => undefined);
		if (answer?.ok) return;
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
