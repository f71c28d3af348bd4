// A child process of the stack: what the workers need before they are served. It ends when that is done, and with it the memory
// that wrangler takes. Takes a `Preparation` as JSON in its first argument.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig, unstable_splitSqlQuery } from "wrangler";
import { root } from "../settings/configs.ts";
import { OPTIONS_FILE, type Preparation } from "./service.ts";

const MIGRATIONS = join(root, "migrations");

const { configs, database }: Preparation = JSON.parse(process.argv[2] ?? "");
for (const config of configs)
	writeFileSync(join(dirname(config), OPTIONS_FILE), JSON.stringify(optionsOf(config)));
if (database) await updateDatabase(database);

function optionsOf(config: string) {
	const { modulesRules: _, ...options } = unstable_getMiniflareWorkerOptions(config).workerOptions;
	return { ...options, name: unstable_readConfig({ config }, { hideWarnings: true }).name };
}

/** Applies the migrations that the database does not name yet, each at once or not at all, as wrangler does. */
async function updateDatabase({ config, data, sql }: NonNullable<Preparation["database"]>): Promise<void> {
	const [database] = unstable_readConfig({ config }, { hideWarnings: true }).d1_databases;
	const d1Databases = { DB: database?.database_id ?? "" };
	const worker = { name: "migrations", modules: true, script: "export default {}", d1Databases };
	const miniflare = new Miniflare({
		...convertV4MiniflareOptions({ workers: [worker], cf: false }),
		resourcePersistencePath: join(data, "v3"),
	});
	try {
		const db = await miniflare.getD1Database("DB");
		const run = (text: string) => db.batch(unstable_splitSqlQuery(text).map((query) => db.prepare(query)));
		await run(`CREATE TABLE IF NOT EXISTS d1_migrations (
			id INTEGER PRIMARY KEY AUTOINCREMENT,
			name TEXT UNIQUE,
			applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
		)`);
		const { results } = await db.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
		const applied = new Set(results.map(({ name }) => name));
		const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql") && !applied.has(name));
		for (const name of files.sort()) {
			const text = readFileSync(join(MIGRATIONS, name), "utf8");
			await run(`${text}\n;INSERT INTO d1_migrations (name) VALUES ('${name}');`);
		}
		for (const file of sql) await run(readFileSync(file, "utf8"));
	} finally {
		await miniflare.dispose();
	}
}
