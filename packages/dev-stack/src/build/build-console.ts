// The platform worker's static files: the console as Vite builds it, and the API reference. They are built once for each state of
// their sources, into a folder that never changes afterwards.
import { createHash, type Hash } from "node:crypto";
import {
	cpSync,
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
import { join, relative } from "node:path";
import { runBeside } from "../processes/processes.ts";
import { buildReferenceAssets } from "../reference/reference-assets.ts";
import { root } from "../settings/configs.ts";

const CONSOLE = join(root, "packages/console");
const REFERENCE = join(root, "workers/platform/assets");
const SOURCES = ["src", "public", "index.html", "vite.config.ts", "package.json"].map((name) =>
	join(CONSOLE, name),
);
const SHARED_SOURCES = [join(root, "pnpm-lock.yaml"), join(root, "patches")];
const CACHE = join(root, ".wrangler/console");
const KEPT = 4;

/**
 * Builds the static files if their sources have changed since they were last built.
 * @returns the folder to serve.
 */
export async function buildConsole(): Promise<string> {
	buildReferenceAssets();
	const hash = createHash("sha256");
	for (const source of [...SOURCES, ...SHARED_SOURCES, REFERENCE]) addToHash(hash, source);
	const target = join(CACHE, hash.digest("hex").slice(0, 16));
	if (!existsSync(target)) await buildInto(target);
	utimesSync(target, new Date(), new Date());
	removeOld();
	return target;
}

async function buildInto(target: string): Promise<void> {
	mkdirSync(CACHE, { recursive: true });
	const work = mkdtempSync(join(CACHE, ".build-"));
	try {
		const vite = join(CONSOLE, "node_modules/vite/bin/vite.js");
		const options = ["--logLevel=warn", `--outDir=${work}`, "--emptyOutDir"];
		// Without this a build that a test starts would contain the development React.
		const env = { NODE_ENV: "production" };
		await runBeside([process.execPath, vite, "build", CONSOLE, ...options], env).catch(
			({ message }: Error) => {
				throw new Error(`The console does not build:\n${message}`);
			},
		);
		cpSync(REFERENCE, work, { recursive: true });
		moveIfNew(work, target);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
}

/** Another process that built at the same time may be serving its result already. */
function moveIfNew(work: string, target: string): void {
	try {
		renameSync(work, target);
	} catch (error) {
		if (!existsSync(target)) throw error;
	}
}

function addToHash(hash: Hash, path: string): void {
	if (/\.test\.tsx?$/.test(path)) return;
	if (statSync(path).isDirectory()) {
		for (const name of readdirSync(path).sort()) addToHash(hash, join(path, name));
	} else
		hash
			.update(`${relative(root, path)}\0`)
			.update(readFileSync(path))
			.update("\0");
}

function removeOld(): void {
	const folders = readdirSync(CACHE).map((name) => join(CACHE, name));
	const usedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
	for (const old of folders.sort((a, b) => usedAt(b) - usedAt(a)).slice(KEPT))
		rmSync(old, { recursive: true, force: true });
}
