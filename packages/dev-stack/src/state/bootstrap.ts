// The first rows of a deployment: an organisation and its keys. Keys are shown once; only their hashes are stored.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKey, hashKey, keyDisplay } from "@parley/auth/api-key";
import { SCOPES } from "@parley/contracts/shared/scopes";
import { newId } from "@parley/db/id";

export type Bootstrap = { organisation_id: string; api_key: string; batch_key: string };

/** A new organisation with an owner key of every scope and a batch key, and the SQL that makes them. */
export async function createBootstrap(name: string): Promise<{ keys: Bootstrap; sql: string }> {
	const organisation = newId();
	const now = new Date().toISOString();
	const keys = {
		organisation_id: organisation,
		api_key: createKey("consumer"),
		batch_key: createKey("batch"),
	};
	const insertKey = async (key: string, family: string, label: string) => {
		const { prefix, lastFour } = keyDisplay(key);
		const values = [
			newId(),
			organisation,
			family,
			label,
			await hashKey(key),
			prefix,
			lastFour,
			JSON.stringify(SCOPES),
		];
		return `INSERT INTO api_keys (id, organisation_id, family, label, hash, prefix, last_four, scopes, created_by, created_at)
VALUES (${[...values, "bootstrap", now].map(quote).join(", ")});`;
	};
	const sql = [
		`INSERT INTO organisations (id, name, features, created_at, updated_at)
VALUES (${[organisation, name, "{}", now, now].map(quote).join(", ")});`,
		await insertKey(keys.api_key, "consumer", "owner"),
		await insertKey(keys.batch_key, "batch", "batch"),
	].join("\n");
	return { keys, sql };
}

/** Puts SQL into a file that the database client takes. */
export function writeSql(dir: string, sql: string): string {
	const path = join(dir, "bootstrap.sql");
	writeFileSync(path, sql, { mode: 0o600 });
	return path;
}

const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`;
