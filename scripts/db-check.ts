// Fails when the tables in packages/db differ from what the migrations make.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@parley/dev-stack/processes/processes";

const copy = mkdtempSync(join(tmpdir(), "parley-migrations-"));
try {
	cpSync("migrations", copy, { recursive: true });
	const before = readdirSync(copy).length;
	run([
		"drizzle-kit",
		"generate",
		"--dialect=sqlite",
		"--schema=./packages/db/src/**/!(*.test).ts",
		`--out=${copy}`,
	]);
	if (readdirSync(copy).length !== before) {
		console.error("The tables have changed: run `pnpm db:generate NAME` and commit the migration.");
		process.exitCode = 1;
	}
} finally {
	rmSync(copy, { recursive: true, force: true });
}
