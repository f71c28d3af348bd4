import type { BenchServer } from "./server.ts";

const FEW = 10;
const MANY = 1_000;
const ROUNDS = 5;
const REQUESTS = 200;

/** How the list of MCP servers holds with many of them: the median time of an answer, few and many asked in turn. */
export async function benchMcp({ urls, keys }: BenchServer): Promise<void> {
	const root = `${urls.agents}/v1/agents/mcp-servers`;
	const headers = { authorization: `Bearer ${keys.api_key}` };
	const register = async (at: number): Promise<void> => {
		const body = JSON.stringify({
			name: `bench-${String(at).padStart(4, "0")}`,
			url_template: `https://mcp-${at}.example/{{$TENANT}}/mcp`,
			auth: { type: "bearer", secret_name: "MCP_TOKEN" },
		});
		const { status } = await fetch(root, { method: "POST", headers, body });
		if (status !== 201) throw new Error(`Registering a server: ${status}`);
	};
	const ask = async (query: string): Promise<number> => {
		const startedAt = performance.now();
		const response = await fetch(root + query, { headers });
		await response.arrayBuffer();
		if (!response.ok) throw new Error(`Listing servers: ${response.status}`);
		return performance.now() - startedAt;
	};
	const p50 = async (query: string): Promise<number> => {
		const medians: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const times: number[] = [];
			for (let request = 0; request < REQUESTS; request++) times.push(await ask(query));
			medians.push(median(times));
		}
		return median(medians);
	};

	for (let at = 0; at < FEW; at++) await register(at);
	const queries = ["?limit=10", "", "?limit=10&name=bench-0003&name=bench-0007"];
	await p50("");
	const few = new Map<string, number>();
	for (const query of queries) few.set(query, await p50(query));
	for (let at = FEW; at < MANY; at++) await register(at);
	console.log(
		`\nMCP servers listed: p50 with ${FEW} and with ${MANY} registered (${ROUNDS} × ${REQUESTS} requests)`,
	);
	for (const query of queries) {
		const [before = 0, after] = [few.get(query), await p50(query)];
		console.log(
			`GET /v1/agents/mcp-servers${query.padEnd(44)} ${before.toFixed(2)} ms ${after.toFixed(2)} ms ${(after / before).toFixed(2)} times`,
		);
	}
}

const median = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
