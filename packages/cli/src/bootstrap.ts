import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Command } from "commander";

/** Script of the checkout that the deployment was made from. It writes to the database, because no key exists yet. */
const SCRIPT = join(import.meta.dirname, "../../../scripts/bootstrap.ts");

export const bootstrapCommand = new Command("bootstrap")
	.description("Make the first organisation of a deployment and its keys")
	.option("--remote", "use the cloud account that the environment names")
	.option("--another", "make another organisation although one exists")
	.option("--name <name>", "name of the organisation")
	.action(({ remote, another, name }: { remote?: boolean; another?: boolean; name?: string }) => {
		const args = [
			...(remote ? ["--remote"] : []),
			...(another ? ["--another"] : []),
			...(name ? ["--name", name] : []),
		];
		process.exitCode = spawnSync(process.execPath, [SCRIPT, ...args], { stdio: "inherit" }).status ?? 1;
	});
