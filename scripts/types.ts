// Writes the env types of every worker from its configuration. `--check` fails when a committed one is out of date.
import { spawnSync } from "node:child_process";
import { dirname, join, relative } from "node:path";
import { ALL_WORKERS, configPath, root } from "@parley/dev-stack/settings/configs";

const options = ["--include-runtime=false", "--strict-vars=false", ...process.argv.slice(2)];
for (const worker of ALL_WORKERS) {
	const config = relative(root, configPath(worker));
	const folder = worker === "platform" ? "workers/platform" : dirname(config);
	const args = ["types", join(folder, "worker-configuration.d.ts"), "-c", config, ...options];
	const { status, stdout, stderr } = spawnSync("wrangler", args, { encoding: "utf8" });
	if (status === 0) continue;
	process.exitCode = 1;
	process.stderr.write(`${worker}: ${stdout}${stderr}`);
}
