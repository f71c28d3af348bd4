// `npm test`: every check in turn, then one line that sums them up. Names given as arguments run only those checks;
// `changed [commit]` runs format, types and the unit tests that the changes since a commit (HEAD) touch.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_BUNDLE_GZIP_BYTES, measureBundles } from "@parley/dev-stack/build/bundles";
import { ALL_WORKERS } from "@parley/dev-stack/settings/configs";

type Outcome = { passed: number; failed: number; skipped: number };

const one = (ok: boolean): Outcome => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
const succeeds = (...command: string[]): Outcome => one(exec(command) === 0);

const [first, since = "HEAD"] = process.argv.slice(2);
const isChanged = first === "changed";
const wanted = isChanged ? ["format and lint", "types", "unit tests"] : process.argv.slice(2);
const onlyChanged = isChanged ? ["--changed", since, "--passWithNoTests"] : [];

const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const checks: Record<string, () => Outcome | Promise<Outcome>> = {
	"format and lint": () => succeeds("biome", "ci", "."),
	"generated env types": () => succeeds("node", "scripts/types.ts", "--check"),
	"generated docs": () => succeeds("node", "scripts/docs.ts", "--check"),
	"migrations match the tables": () => succeeds("node", "scripts/db-check.ts"),
	types: () =>
		all([".", "tsconfig.node.json", "packages/console", ...ALL_WORKERS.map(workerDir)].map(typecheck)),
	// Both mostly wait, so they run at once. The whole-stack tests print when the unit tests have ended.
	"unit tests": () => {
		if (isWanted("whole-stack tests")) wholeStackTests = runInBackground("--project", "e2e");
		return runVitest("--project", "!e2e", ...onlyChanged);
	},
	"whole-stack tests": () => wholeStackTests?.() ?? runVitest("--project", "e2e"),
	bundles: checkBundles,
	"deployment, dry run": () => succeeds("node", "scripts/deploy.ts", "--dry-run"),
};

let wholeStackTests: (() => Promise<Outcome>) | undefined;
const total: Outcome = { passed: 0, failed: 0, skipped: 0 };
const broken: string[] = [];
for (const [name, check] of Object.entries(checks)) {
	if (!isWanted(name)) continue;
	const startedAt = Date.now();
	console.log(`\n== ${name}`);
	const outcome = await check();
	console.log(`== ${name}: ${describe(outcome)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
	if (outcome.failed > 0) broken.push(name);
	for (const key of ["passed", "failed", "skipped"] as const) total[key] += outcome[key];
}
if (broken.length > 0) console.log(`\nFailed: ${broken.join(", ")}`);
console.log(`\n${describe(total)}`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

function describe({ passed, failed, skipped }: Outcome): string {
	return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function exec([program = "", ...args]: string[]): number {
	return spawnSync(program, args, { stdio: "inherit" }).status ?? 1;
}

function all(outcomes: Outcome[]): Outcome {
	const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
	return { passed: outcomes.length - failed, failed, skipped: 0 };
}

/** A second run checks only what has changed. */
function typecheck(project: string): Outcome {
	const info = `node_modules/.cache/tsc/${project.replaceAll(/[^\w]+/g, "-")}.tsbuildinfo`;
	return succeeds("tsc", "-p", project, "--incremental", "--tsBuildInfoFile", info);
}

function workerDir(worker: string): string {
	return `workers/${worker}`;
}

/** Runs tests and prints their output as it comes. */
function runVitest(...args: string[]): Promise<Outcome> {
	return vitest("inherit", args);
}

/** Starts tests with their output in a file. @returns a function that waits for their end and prints the output */
function runInBackground(...args: string[]): () => Promise<Outcome> {
	const dir = mkdtempSync(join(tmpdir(), "parley-tests-"));
	const file = join(dir, "output.txt");
	const output = openSync(file, "w");
	const outcome = vitest(output, args);
	return async () => {
		const ended = await outcome;
		closeSync(output);
		process.stdout.write(readFileSync(file));
		rmSync(dir, { recursive: true, force: true });
		return ended;
	};
}

/** A run that reports nothing, or ends badly with every test green, counts as one failure. */
async function vitest(output: "inherit" | number, args: string[]): Promise<Outcome> {
	const dir = mkdtempSync(join(tmpdir(), "parley-tests-"));
	const file = join(dir, "report.json");
	try {
		const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
		const child = spawn("vitest", ["run", ...args, ...reporters], { stdio: ["inherit", output, output] });
		const [status] = await once(child, "exit");
		const report = JSON.parse(readFileSync(file, "utf8"));
		const failed = Math.max(report.numFailedTests, report.numFailedTestSuites, status === 0 ? 0 : 1);
		return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
	} catch (error) {
		console.error(error);
		return one(false);
	} finally {
		rmSync(dir, { recursive: true, force: true });
	}
}

function checkBundles(): Outcome {
	const bundles = measureBundles();
	const outcomes = bundles.map(({ worker, bytes, gzipBytes }) => {
		const kB = (size: number) => `${Math.round(size / 1000)} kB`.padStart(8);
		const ok = gzipBytes <= MAX_BUNDLE_GZIP_BYTES;
		console.log(
			`${worker.padEnd(12)} ${kB(bytes)} minified ${kB(gzipBytes)} gzip ${ok ? "" : " over the limit"}`,
		);
		return one(ok);
	});
	return all(outcomes);
}
