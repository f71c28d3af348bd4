import type { VaultKind } from "@parley/contracts/agents/secrets";
import type { RunResult } from "@parley/contracts/agents/tool-runs";
import type { Tool } from "@parley/contracts/agents/tools";
import type { Answer, Client } from "./client.ts";

const TOOLS = "/v1/agents/tools";

/** Creates a tool of any type. Throws if it is rejected. */
export async function createTool(client: Client, body: object): Promise<Tool> {
	const name = `tool-${crypto.randomUUID()}`;
	return succeeded(await client.call<Tool>("POST", TOOLS, { name, ...body }));
}

/** Creates an `api_request` tool. */
export const createRequest = (client: Client, config: object, rest: object = {}): Promise<Tool> =>
	createTool(client, { tool_type: "api_request", config: { type: "api_request", ...config }, ...rest });

export const runTool = (client: Client, { id }: Tool, sample_input: object = {}) =>
	client.call<RunResult>("POST", `${TOOLS}/${id}/run`, { sample_input, confirm_side_effects: true });

export const getTool = async (client: Client, { id }: Tool): Promise<Tool> =>
	succeeded(await client.call<Tool>("GET", `${TOOLS}/${id}`));

export async function putSecret(
	client: Client,
	name: string,
	value: string,
	kind: VaultKind = "secret",
): Promise<void> {
	succeeded(await client.call("POST", "/v1/agents/secrets", { name, value, kind }));
}

/** Returns the configuration's `parameters` for these properties. */
export const parameters = (properties: object, required: string[] = []) => ({
	parameters: { type: "object", properties, required },
});

/** Returns the status and code of a rejected request. */
export async function refusal(request: Promise<Answer<unknown>>): Promise<[number, string]> {
	const { status, body } = await request;
	return [status, body.error.code];
}

function succeeded<T>({ status, body }: Answer<T>): T {
	if (status >= 400) throw new Error(`${status} ${JSON.stringify(body)}`);
	return body;
}
