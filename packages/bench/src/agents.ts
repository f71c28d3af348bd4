import { randomUUID } from "node:crypto";
import { compare } from "./load.ts";
import type { BenchServer } from "./server.ts";

const LISTED = 100;
const CURATED_CLOCK = "current_datetime";

type Json = Record<string, unknown>;

export async function benchAgents({ urls, keys }: BenchServer): Promise<void> {
	const root = `${urls.agents}/v1/agents`;
	const headers = { authorization: `Bearer ${keys.api_key}` };
	const call = async (method: string, path: string, body: Json = {}): Promise<Json> => {
		const init = method === "GET" ? {} : { body: JSON.stringify(body) };
		const response = await fetch(root + path, { method, headers, ...init });
		const answer = (await response.json()) as Json;
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	};

	const curated = (await call("GET", "/tools")) as unknown as { id: string; name: string }[];
	const clock = curated.find(({ name }) => name === CURATED_CLOCK);
	const tool = await call("POST", `/tools/${clock?.id}/duplicate`, { name: "bench-clock" });
	await call("POST", `/tools/${tool.id}/publish`);
	await call("PATCH", `/tools/${tool.id}`, { config: { type: CURATED_CLOCK, timezone: "Europe/Oslo" } });
	await call("POST", `/tools/${tool.id}/publish`);
	const attachment = randomUUID();
	const agent = await call("POST", "", {
		name: "bench-agent",
		tool_refs: [{ attachment_id: attachment, tool_id: tool.id, version: 1, invocation: "model" }],
	});
	for (let at = 0; at < LISTED; at++) await call("POST", "/tools", apiRequest(`bench-listed-${at}`));

	await compare(
		"Agents",
		{ name: "baseline: Hono, one D1 read", url: `${urls.baseline}/organisations/${keys.organisation_id}` },
		[
			{ name: "GET tool", url: `${root}/tools/${tool.id}`, headers },
			{ name: `GET ${LISTED} tools`, url: `${root}/tools?limit=${LISTED}`, headers },
			{
				name: "POST upgrade preview",
				url: `${root}/tools/agents/${agent.id}/attachments/${attachment}/upgrade-preview/2`,
				method: "POST",
				headers,
			},
			{
				name: "POST tool",
				url: `${root}/tools`,
				method: "POST",
				headers,
				body: () => JSON.stringify(apiRequest(`bench-${randomUUID()}`)),
				expect: 201,
			},
		],
	);
}

const apiRequest = (name: string): Json => ({
	name,
	tool_type: "api_request",
	config: {
		type: "api_request",
		url: "https://api.example/weather",
		parameters: { type: "object", properties: {} },
	},
});
