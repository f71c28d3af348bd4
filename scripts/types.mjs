// Writes the env types of every worker from its configuration. `--check` fails when a committed one is out of date.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const workers = ["platform", "agents", "python", "batch", "transcriber"];
const configOf = (worker) => (worker === "platform" ? "wrangler.toml" : `workers/${worker}/wrangler.toml`);
let failed = false;
for (const worker of workers.filter((name) => existsSync(configOf(name)))) {
	const args = ["types", `workers/${worker}/worker-configuration.d.ts`, "-c", configOf(worker)];
	const { status, stdout, stderr } = spawnSync("wrangler", [
		...args,
		"--include-runtime=false",
		"--strict-vars=false",
		...process.argv.slice(2),
	]);
	if (status === 0) continue;
	failed = true;
	process.stderr.write(`${worker}: ${stdout}${stderr}`);
}
process.exit(failed ? 1 : 0);
