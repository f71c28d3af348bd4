// The workers as a deployment would upload them, built once for each state of their sources.
import { createHash, type Hash } from "node:crypto";
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { ensureRuntime } from "../../../../workers/python/build/build-runtime.mjs";
import { runBeside } from "../processes/processes.ts";
import { ALL_WORKERS, configPath, root, type Worker } from "../settings/configs.ts";

const WRANGLER = join(root, "node_modules/wrangler/wrangler-dist/cli.js");
const CACHE = join(root, ".wrangler/bundles");
const UNUSED_FOR_MS = 24 * 3_600_000;

/** Packages that no worker imports. */
const NODE_PACKAGES = ["bench", "cli", "console", "dev-stack", "sdk", "speech-server", "testing"];
const OTHER_FILES = /^(node_modules|dist|\.\w.*)$|\.test\.ts$|\.md$/;

/**
 * Builds those workers whose sources have changed since it was last built.
 * @param entries modules that take the place of a worker's own.
 * @returns the folder of each worker's modules.
 * @throws Error with what wrangler says of a worker that does not build.
 */
export async function buildWorkers(
	entries: Partial<Record<Worker, string>> = {},
	workers: Worker[] = ALL_WORKERS,
): Promise<Record<Worker, string>> {
	const { id } = await ensureRuntime();
	const shared = hashShared(id);
	const waiting = workers.map((worker) => ({ worker, entry: entries[worker] }));
	const built: [Worker, string][] = [];
	const build = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			built.push([next.worker, await buildWorker(next.worker, shared.copy(), next.entry)]);
		}
	};
	await Promise.all(Array.from({ length: availableParallelism() }, build));
	return Object.fromEntries(built) as Record<Worker, string>;
}

async function buildWorker(worker: Worker, hash: Hash, entry: string | undefined): Promise<string> {
	hashTree(hash, join(root, "workers", worker));
	hash.update(readFileSync(configPath(worker)));
	if (entry) hash.update(entry).update(readFileSync(entry));
	const id = hash.digest("hex");
	const folder = join(CACHE, worker);
	const target = join(folder, id);
	if (!existsSync(target)) {
		mkdirSync(folder, { recursive: true });
		const work = mkdtempSync(join(folder, ".build-"));
		try {
			await bundle(worker, entry, work);
			moveIfNew(work, target);
		} finally {
			rmSync(work, { recursive: true, force: true });
		}
	}
	utimesSync(target, new Date(), new Date());
	removeUnused(folder);
	return target;
}

async function bundle(worker: Worker, entry: string | undefined, out: string): Promise<void> {
	const script = entry ? [entry] : [];
	const args = ["deploy", ...script, "--dry-run", "--outdir", out, "-c", configPath(worker), "--cwd", root];
	await runBeside([process.execPath, WRANGLER, ...args]).catch(({ message }: Error) => {
		throw new Error(`The worker ${worker} does not build:\n${message}`);
	});
}

/** Another process that built at the same time may be using its result already. */
function moveIfNew(work: string, target: string): void {
	try {
		renameSync(work, target);
	} catch (error) {
		if (!existsSync(target)) throw error;
	}
}

function removeUnused(folder: string): void {
	for (const name of readdirSync(folder)) {
		const path = join(folder, name);
		const usedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
		if (Date.now() - usedAt > UNUSED_FOR_MS) rmSync(path, { recursive: true, force: true });
	}
}

/** A hash of what every worker may be built from. */
function hashShared(pythonRuntime: string): Hash {
	const hash = createHash("sha256").update(pythonRuntime);
	for (const file of ["pnpm-lock.yaml", "tsconfig.base.json"]) hash.update(readFileSync(join(root, file)));
	const packages = readdirSync(join(root, "packages")).filter((name) => !NODE_PACKAGES.includes(name));
	for (const name of packages.sort()) hashTree(hash, join(root, "packages", name));
	return hash;
}

function hashTree(hash: Hash, folder: string): void {
	const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !OTHER_FILES.test(name));
	for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) hashTree(hash, path);
		else if (entry.isFile())
			hash
				.update(`${relative(root, path)}\0`)
				.update(readFileSync(path))
				.update("\0");
	}
}
