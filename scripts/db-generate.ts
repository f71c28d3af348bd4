// Adds a migration that brings the database to the tables in packages/db. Usage: pnpm db:generate NAME
import { run } from "@parley/dev-stack/processes/processes";

const [name] = process.argv.slice(2);
if (!name) {
	console.error("Name the migration: pnpm db:generate add_deliveries");
	process.exit(2);
}
run(["drizzle-kit", "generate", "--name", name]);
