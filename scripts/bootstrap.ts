// `pnpm parley bootstrap`: the first organisation of a deployment and its keys, shown once. With `--remote` the deployment
// in the account that the environment names, else the local state. `--another` makes one more organisation.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { run } from "@parley/dev-stack/processes/processes";
import { root } from "@parley/dev-stack/settings/configs";
import { createBootstrap, writeSql } from "@parley/dev-stack/state/bootstrap";

const { values } = parseArgs({
	options: {
		remote: { type: "boolean", default: false },
		another: { type: "boolean", default: false },
		name: { type: "string", default: process.env.PARLEY_ORGANISATION || "First organisation" },
	},
});

const dir = mkdtempSync(join(tmpdir(), "parley-bootstrap-"));
try {
	const target = values.remote ? remoteDatabase(dir) : localDatabase();
	if (!values.another && hasOrganisation(target)) {
		console.error("There is an organisation already. Make keys with one of its own, or pass --another.");
		process.exitCode = 1;
	} else {
		const { keys, sql } = await createBootstrap(values.name);
		execute([...target, "--file", writeSql(dir, sql)]);
		console.log(JSON.stringify(keys, null, "\t"));
	}
} finally {
	rmSync(dir, { recursive: true, force: true });
}

/** Found by its name in the account: the committed configuration holds no account's id. */
function remoteDatabase(cwd: string): string[] {
	const envFile = join(root, ".env");
	if (existsSync(envFile)) process.loadEnvFile(envFile);
	return ["parley", "--remote", "--cwd", cwd];
}

function localDatabase(): string[] {
	const state = resolve(process.env.PARLEY_STATE || join(root, ".parley"));
	const config = join(state, "config/platform/wrangler.json");
	if (!existsSync(config)) throw new Error(`There is no local state in ${state}: run \`npm start\` once`);
	return ["DB", "--local", "-c", config, `--persist-to=${join(state, "data")}`];
}

function hasOrganisation(target: string[]): boolean {
	const answer = execute([
		...target,
		"--json",
		"--command",
		"SELECT count(*) AS organisations FROM organisations",
	]);
	return !/"organisations":\s*0\b/.test(answer);
}

function execute(args: string[]): string {
	return run(["wrangler", "d1", "execute", ...args, "--yes"]);
}
