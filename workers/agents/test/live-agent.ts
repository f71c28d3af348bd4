import type { Agent } from "@parley/contracts/agents/agents";
import type { ToolCallPage, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import { TOOL_CONFIGS, type ToolConfig, type ToolType } from "@parley/contracts/agents/tool-config";
import type { ArgumentDefaults } from "@parley/contracts/agents/tools";
import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { expect, vi } from "vitest";
import type { z } from "zod";
import type { Ctx } from "../src/context.ts";
import type { Client } from "./client.ts";
import { publishedTool, schemaOf } from "./published-tool.ts";

type Json = Record<string, unknown>;
type ToolOptions = {
	config?: Json;
	/** Names and schemas of the arguments; those whose name ends with `!` are required. */
	parameters?: Record<string, Json>;
	argumentDefaults?: ArgumentDefaults;
	argumentSchema?: Json;
};

/** Inserts a published tool with this name. */
export async function namedTool(
	client: Client,
	name: string,
	tool_type: ToolType,
	{ config = {}, parameters = {}, argumentDefaults = {}, argumentSchema }: ToolOptions = {},
): Promise<string> {
	const isRequest = tool_type === "api_request";
	const argument_schema =
		argumentSchema ??
		(isRequest ? schemaOf(parameters) : { ...schemaOf(parameters), additionalProperties: false });
	const full = { type: tool_type, ...config, ...(isRequest && { parameters: argument_schema }) };
	return publishedTool(client.id, {
		toolType: tool_type,
		snapshot: {
			...{ name, description: "", tool_type, argument_defaults: argumentDefaults, argument_schema },
			config: TOOL_CONFIGS[tool_type].parse(full) as ToolConfig,
		},
	});
}

/** Returns an attachment of a tool's first version. */
export const toolRef = (tool_id: string, more: object = {}) => ({
	...{ attachment_id: crypto.randomUUID(), tool_id, version: 1 },
	...more,
});

/** Creates an agent with these attachments. Returns it with functions that call its tools and list the calls. */
export async function liveAgent(client: Client, body: object = {}) {
	const answer = await client.call<Agent>("POST", "/v1/agents", { name: crypto.randomUUID(), ...body });
	expect(answer.status, JSON.stringify(answer.body)).toBe(201);
	const agent = answer.body;
	const path = `/v1/agents/${agent.id}`;
	const call = (name: string, request: object = {}, headers?: Record<string, string>) =>
		client.call<ToolCallResult>("POST", `${path}/tools/${name}/call`, request, headers);
	const records = async () =>
		(await client.call<z.infer<typeof ToolCallPage>>("GET", `${path}/tool-calls`)).body.items;
	return {
		...{ agent, path, call, records },
		/** Waits for the record of a call, which is written after its answer. */
		recordOf: (id: string) =>
			vi.waitFor(
				async () => {
					const found = (await records()).find((record) => record.id === id);
					if (!found || found.status === "running") throw new Error(`${id} is not recorded yet`);
					return found;
				},
				{ timeout: 5_000, interval: 20 },
			),
	};
}

/** Returns the context of a session's token, for service functions that are called directly. */
export function inSession(ctx: Ctx, agentId: string, own: Partial<RuntimeSession> = {}): Ctx {
	const session: RuntimeSession = {
		...{ id: crypto.randomUUID(), agentId, agentVersion: 1, variables: {}, caller: {}, callId: null },
		...{ mocks: false, expiresAt: new Date(Date.now() + 60_000).toISOString() },
		...own,
	};
	const { organisation, label } = ctx.actor;
	return {
		...ctx,
		actor: {
			...{
				type: "runtime_session",
				id: `runtime_session:${session.id}`,
				label,
				organisation,
				agentId,
				session,
			},
			...{ scopes: new Set(["runtime:use"] as const), keyId: null, expiresAt: session.expiresAt },
		},
	};
}
