// Serves the console from its sources, with hot replacement, in front of a stack that runs: PARLEY_URL, or http://127.0.0.1:8787.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";

const folder = join(root, "packages/console");
const vite = join(folder, "node_modules/vite/bin/vite.js");
process.exit(spawnSync(process.execPath, [vite, folder], { stdio: "inherit" }).status ?? 1);
