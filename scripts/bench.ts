// `pnpm bench [name …]`: figures beside a baseline measured in the same run.
import { benchAgents } from "../packages/bench/src/agents.ts";
import { benchBatch, ENGINE_MS } from "../packages/bench/src/batch.ts";
import { startEngine } from "../packages/bench/src/engine.ts";
import { benchPlatform } from "../packages/bench/src/platform.ts";
import { startBenchServer } from "../packages/bench/src/server.ts";

const benches = { platform: benchPlatform, agents: benchAgents, batch: benchBatch };
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0)
	throw new Error(`No bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);

const engine = await startEngine(ENGINE_MS);
const server = await startBenchServer(engine.settings);
try {
	for (const [name, bench] of Object.entries(benches)) {
		if (wanted.length === 0 || wanted.includes(name)) await bench(server);
	}
} finally {
	await server.stop();
	engine.stop();
}
