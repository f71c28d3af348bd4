// `pnpm bench [name …]`: figures beside a baseline measured in the same run.
import { benchPlatform } from "../packages/bench/src/platform.ts";
import { startBenchServer } from "../packages/bench/src/server.ts";

const benches = { platform: benchPlatform };
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0)
	throw new Error(`No bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);

const server = await startBenchServer();
try {
	for (const [name, bench] of Object.entries(benches)) {
		if (wanted.length === 0 || wanted.includes(name)) await bench(server);
	}
} finally {
	await server.stop();
}
