// Writes the migration for the tables in packages/db. Until the first release there is one migration, made anew each time.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";

rmSync("migrations", { recursive: true, force: true });
const { status } = spawnSync("drizzle-kit", ["generate", "--name", "init"], { stdio: "inherit" });
process.exit(status ?? 1);
