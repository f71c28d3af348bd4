import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { defineCommand } from "citty";

/** Runs in the checkout that the deployment was made from: it reaches the database, not the API, which has no key yet. */
const SCRIPT = join(import.meta.dirname, "../../../scripts/bootstrap.ts");

export const bootstrapCommand = defineCommand({
	meta: { name: "bootstrap", description: "Make the first organisation of a deployment, and its keys" },
	args: {
		remote: { type: "boolean", description: "In the cloud account that the environment names" },
		another: { type: "boolean", description: "Although there is an organisation already" },
		name: { type: "string", description: "The organisation's name" },
	},
	run: ({ args }) => {
		const given = [
			...(args.remote ? ["--remote"] : []),
			...(args.another ? ["--another"] : []),
			...(args.name ? ["--name", args.name] : []),
		];
		process.exitCode = spawnSync(process.execPath, [SCRIPT, ...given], { stdio: "inherit" }).status ?? 1;
	},
});
