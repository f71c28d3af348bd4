// What a stack keeps in its state folder.
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareWorkers } from "../serve/service.ts";
import { root, type Settings, type Worker } from "../settings/configs.ts";
import { type Bootstrap, createBootstrap, writeSql } from "./bootstrap.ts";
import { closeTree } from "./private-files.ts";

/** Names in the state folder. */
const STATE_NAMES = "config data dev.json keys.json lock logs migrated registry sandbox secrets.json".split(
	" ",
);

/** Secrets that are made at the first start and kept. */
export function keptSecrets(state: string): Settings {
	const path = join(state, "secrets.json");
	const kept = readIfExists(path);
	if (kept !== undefined) return JSON.parse(kept);
	const secrets = {
		VAULT_KEK: `local:${randomBytes(32).toString("base64")}`,
		R2_ACCESS_KEY_ID: randomBytes(16).toString("hex"),
		R2_SECRET_ACCESS_KEY: randomBytes(32).toString("hex"),
	};
	writeFileSync(path, JSON.stringify(secrets), { mode: 0o600 });
	return secrets;
}

/**
 * Brings the database up to date, creates the demo organisation at the first start, and writes the simulator's options beside
 * each configuration.
 * @returns the organisation's keys.
 */
export async function prepareState(
	state: string,
	configs: Record<Worker, string>,
	firstSql = "",
): Promise<Bootstrap> {
	const keysFile = join(state, "keys.json");
	const stampFile = join(state, "migrated");
	const stamp = hashMigrations();
	const isMigrated = readIfExists(stampFile) === stamp;
	const kept = readIfExists(keysFile);
	const first = kept === undefined ? await createBootstrap("Demo organisation") : undefined;
	const sql = first ? [writeSql(state, `${first.sql}\n${firstSql}`)] : [];
	const database = { config: configs.platform, data: join(state, "data"), sql };
	await prepareWorkers({
		configs: Object.values(configs),
		...((first || !isMigrated) && { database }),
	});
	for (const file of sql) rmSync(file);
	writeFileSync(stampFile, stamp, { mode: 0o600 });
	if (first) writeFileSync(keysFile, JSON.stringify(first.keys), { mode: 0o600 });
	return first?.keys ?? JSON.parse(kept ?? "");
}

function hashMigrations(): string {
	const hash = createHash("sha256");
	const folder = join(root, "migrations");
	const names = readdirSync(folder).filter((name) => name.endsWith(".sql"));
	for (const name of names.sort()) hash.update(readFileSync(join(folder, name)));
	return hash.digest("hex");
}

const readIfExists = (path: string): string | undefined =>
	existsSync(path) ? readFileSync(path, "utf8") : undefined;

/** Closes the state of an earlier version to other users, and deletes its traces, which hold secrets. */
export function cleanEarlierState(state: string): void {
	for (const name of STATE_NAMES) closeTree(join(state, name));
	for (const name of ["data", "sandbox"])
		rmSync(join(state, name, "v3/observability"), { recursive: true, force: true });
}

/** One start at a time on a state. @throws when a living process holds it. */
export function lock(state: string): () => void {
	const path = join(state, "lock");
	const holder = Number(readIfExists(path) ?? 0);
	if (holder && holder !== process.pid && lives(holder)) {
		throw new Error(
			`Parley already runs on ${state} (process ${holder}). Set PARLEY_STATE and PORT to run another.`,
		);
	}
	writeFileSync(path, String(process.pid), { mode: 0o600 });
	return () => rmSync(path, { force: true });
}

function lives(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
