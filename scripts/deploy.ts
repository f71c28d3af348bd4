// `pnpm deploy:cloud`: the database, buckets, queues, secrets and every worker, in the account that the environment names.
// Safe to repeat: what exists is kept, what changed is uploaded. With `--dry-run` nothing leaves this machine.
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildConsole } from "@parley/dev-stack/build/build-console";
import { run } from "@parley/dev-stack/processes/processes";
import {
	ALL_WORKERS,
	environmentSettings,
	renderCloudConfigs,
	root,
	type Settings,
	secretNames,
	type Worker,
} from "@parley/dev-stack/settings/configs";
import { planSecrets } from "@parley/dev-stack/settings/deploy-secrets";
import { checkEngineSettings } from "@parley/dev-stack/settings/engine-settings";
import { createBootstrap, writeSql } from "@parley/dev-stack/state/bootstrap";

const dryRun = process.argv.includes("--dry-run");
const envFile = join(root, ".env");
if (existsSync(envFile)) process.loadEnvFile(envFile);

const NEEDED = ["CLOUDFLARE_ACCOUNT_ID", "CLOUDFLARE_API_TOKEN", "R2_ACCESS_KEY_ID", "R2_SECRET_ACCESS_KEY"];
const missing = dryRun ? [] : NEEDED.filter((name) => !process.env[name]);
if (missing.length > 0) {
	console.error(`Set ${missing.join(", ")} in the environment or in .env`);
	process.exit(1);
}
if (!process.env.SPEECH_ENGINES)
	console.error("SPEECH_ENGINES is not set: this deployment could transcribe nothing.");
const accountId = process.env.CLOUDFLARE_ACCOUNT_ID || "0".repeat(32);
const dir = mkdtempSync(join(tmpdir(), "parley-deploy-"));
try {
	await deploy();
} finally {
	rmSync(dir, { recursive: true, force: true });
}

async function deploy(): Promise<void> {
	const assets = await buildConsole();
	const resources = renderCloudConfigs(join(dir, "resources"), {
		...{ databaseId: "", accountId, settings: {}, assets },
	});
	for (const name of resources.buckets) create(["r2", "bucket", "create", name]);
	for (const name of resources.queues) create(["queues", "create", name]);
	create(["d1", "create", "parley", "--update-config=false"]);
	const databaseId = dryRun ? "00000000-0000-4000-8000-000000000001" : findDatabase("parley");
	const settings = environmentSettings();
	const secretsAs = (value: string) =>
		Object.fromEntries(
			ALL_WORKERS.flatMap((worker) => secretNames(worker, settings)).map((name) => [name, value]),
		);
	checkEngineSettings({ ...secretsAs("kept"), ...settings }, { ai: true });
	const { paths } = renderCloudConfigs(join(dir, "workers"), { databaseId, accountId, settings, assets });
	wrangler(["d1", "migrations", "apply", "DB", "--remote", "-c", paths.platform]);
	const secrets = planSecrets(
		ALL_WORKERS.map((worker) => ({
			worker,
			needed: secretNames(worker, settings),
			held: dryRun ? [] : heldSecrets(paths[worker]),
		})),
		dryRun ? { ...secretsAs("dry-run"), ...settings } : settings,
		makeVaultKey,
	);
	for (const worker of ALL_WORKERS) deployWorker(worker, paths[worker], secrets[worker] ?? {});
	await firstOrganisation(paths.platform);
}

function deployWorker(worker: Worker, config: string, secrets: Settings): void {
	const file = join(dir, `${worker}.secrets.json`);
	writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
	const args = ["deploy", "-c", config, "--minify", "--secrets-file", file];
	if (!dryRun) wrangler(args);
	else console.log(run(["wrangler", ...args, "--dry-run", "--outdir", join(dir, "out", worker)]));
}

/** The names of the secrets that a deployed worker has; none of a worker that is not deployed yet. */
function heldSecrets(config: string): string[] {
	try {
		const listed = run(["wrangler", "secret", "list", "-c", config, "--format", "json"]);
		return (JSON.parse(listed) as { name: string }[]).map(({ name }) => name);
	} catch (error) {
		if (/Worker .* not found/.test(String((error as { stderr?: string }).stderr ?? error))) return [];
		throw error;
	}
}

/** Shown once, to be kept elsewhere too. */
function makeVaultKey(): string {
	const kek = `k1:${randomBytes(32).toString("base64")}`;
	console.log(`Made VAULT_KEK. Keep it somewhere safe; without it the vault cannot be opened:\n\n  ${kek}\n`);
	return kek;
}

async function firstOrganisation(config: string): Promise<void> {
	const count = "SELECT count(*) AS organisations FROM organisations";
	const rows = dryRun
		? ""
		: run(["wrangler", "d1", "execute", "DB", "--remote", "-c", config, "--json", "--command", count]);
	if (!dryRun && !/"organisations":\s*0/.test(rows)) return;
	const { keys, sql } = await createBootstrap(process.env.PARLEY_ORGANISATION || "First organisation");
	wrangler(["d1", "execute", "DB", "--remote", "-c", config, "--yes", "--file", writeSql(dir, sql)]);
	if (!dryRun)
		console.log(`The first organisation and its keys, shown once:\n${JSON.stringify(keys, null, 2)}`);
}

/** Creates a resource; one that exists already is kept. */
function create(args: string[]): void {
	try {
		wrangler(args);
	} catch (error) {
		if (!/already exists|already taken|11009/i.test(String((error as { stderr?: string }).stderr ?? error)))
			throw error;
	}
}

function findDatabase(name: string): string {
	const databases: { name: string; uuid: string }[] = JSON.parse(run(["wrangler", "d1", "list", "--json"]));
	const found = databases.find((database) => database.name === name);
	if (!found) throw new Error(`The database ${name} is not in the account`);
	return found.uuid;
}

function wrangler(args: string[]): void {
	console.log(`wrangler ${args.join(" ").replaceAll(dir, "…")}`);
	if (!dryRun) console.log(run(["wrangler", ...args]));
}
