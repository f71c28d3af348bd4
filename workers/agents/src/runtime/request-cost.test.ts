import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import type { OpenedRuntimeSession } from "@parley/contracts/agents/runtime-sessions";
import { issueAgentKey } from "@parley/testing/agent-credentials";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { publishedTool } from "../../test/published-tool.ts";
import { app } from "../app.ts";

/** Sends a request through the worker. Returns its answer, and the statements that it prepared before the answer. */
async function statementsOf(key: string, method: string, path: string, body?: object) {
	const statements: string[] = [];
	const DB = new Proxy(env.DB, {
		get(target, name) {
			const member: unknown = Reflect.get(target, name);
			if (name === "prepare")
				return (text: string) => {
					statements.push(text);
					return target.prepare(text);
				};
			return typeof member === "function" ? member.bind(target) : member;
		},
	});
	const request = new Request(`https://agents.parley.example${path}`, {
		method,
		headers: { authorization: `Bearer ${key}` },
		...(body && { body: JSON.stringify(body) }),
	});
	const response = await app.fetch(request, { ...env, DB } as unknown as Env, createExecutionContext());
	const answer = await response.json();
	expect(response.status, JSON.stringify(answer)).toBeLessThan(300);
	return { answer, statements: statements.map((text) => text.split(" ")[0]) };
}

async function settle(config: object = {}) {
	const client = await createClient();
	const tool_id = await publishedTool(client.id, {});
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "Front desk", greeting: "Hello {{name}}" },
		tool_refs: [{ attachment_id: crypto.randomUUID(), tool_id, version: 1 }],
		...config,
	});
	const { key } = await issueAgentKey(env.DB, client.id, agent.id);
	return { key, path: `/v1/agents/${agent.id}` };
}

test("a toolset costs one read of the key and one round trip for the agent, and nothing when warm", async () => {
	const { key, path } = await settle();
	const cold = await statementsOf(key, "GET", `${path}/tools`);
	// The update notes that the key was used, after the answer.
	expect(cold.statements).toEqual(["select", "update", "select", "select", "select"]);
	for (const format of ["json_schema", "openai", "gemini"])
		expect((await statementsOf(key, "GET", `${path}/tools?format=${format}`)).statements).toEqual([]);
});

test("a session costs one write when warm, and its token one read at its first use", async () => {
	const { key, path } = await settle();
	const open = () => statementsOf(key, "POST", `${path}/sessions`, { variables: { name: "Ada" } });
	await open();
	const warm = await open();
	// The assertion that the agent is live goes with the write.
	expect(warm.statements).toEqual(["select", "insert"]);
	const token = (warm.answer as OpenedRuntimeSession).token ?? "";
	expect((await statementsOf(token, "GET", `${path}/tools`)).statements).not.toEqual([]);
	expect((await statementsOf(token, "GET", `${path}/tools`)).statements).toEqual([]);
});
