// `pnpm bench [name …]`: figures beside a baseline measured in the same run.
import { benchAgents } from "@parley/bench/agents";
import { benchBatch, ENGINE_MS } from "@parley/bench/batch";
import { benchCode } from "@parley/bench/code";
import { type Engine, startEngine } from "@parley/bench/engine";
import { benchMcp } from "@parley/bench/mcp";
import { benchPlatform } from "@parley/bench/platform";
import { benchRuntime } from "@parley/bench/runtime";
import { type BenchServer, startBenchServer } from "@parley/bench/server";
import { benchSoak } from "@parley/bench/soak";

const benches = {
	...{ platform: benchPlatform, agents: benchAgents, runtime: benchRuntime },
	...{ mcp: benchMcp, batch: benchBatch },
};
const names = [...Object.keys(benches), "code", "soak"];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`No bench ${unknown.join(", ")}; there are ${names.join(", ")}`);

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const chosen = Object.entries(benches).filter(([name]) => isWanted(name));
if (chosen.length > 0) await onServer(chosen.map(([, bench]) => bench));
if (isWanted("code")) await benchCode();
// Takes minutes, so it runs only when named.
if (wanted.includes("soak")) await benchSoak();

async function onServer(chosen: ((server: BenchServer, engine: Engine) => Promise<void>)[]): Promise<void> {
	const engine = await startEngine(ENGINE_MS);
	const server = await startBenchServer(engine.settings);
	try {
		for (const bench of chosen) await bench(server, engine);
	} finally {
		await server.stop();
		engine.stop();
	}
}
