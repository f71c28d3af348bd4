// What the tests of code tools say to the agents plane, over HTTP, as any client would.
import type { RunResult } from "@parley/contracts/tool-runs";
import type { Tool } from "@parley/contracts/tools";
import { inject } from "vitest";
import { createBootstrap } from "../scripts/lib/bootstrap.ts";
import { sleep } from "../scripts/lib/processes.ts";

/** How long the stack under test lets code run. */
export const CODE_LIMIT_MS = 4000;

type Refusal = { error: { code: string; message: string; fields?: { path: string; message: string }[] } };
export type Answer<T> = { status: number; headers: Headers; body: T & Refusal };
export type Client = ReturnType<typeof clientOf>;

/** The demo organisation, or whose key it is. */
export function clientOf(key: string) {
	async function call<T = Record<string, unknown>>(
		method: string,
		path: string,
		body?: unknown,
	): Promise<Answer<T>> {
		const response = await fetch(`${inject("baseUrl")}/v1/agents${path}`, {
			method,
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
	}
	const createTool = async (code_src: string, rest: object = {}): Promise<Tool> => {
		const { status, body } = await call<Tool>("POST", "/tools", {
			...{ name: `t-${crypto.randomUUID()}`, code_src },
			...rest,
		});
		if (status !== 201) throw new Error(JSON.stringify(body));
		return body;
	};
	const introspect = async ({ id }: Tool): Promise<Tool> =>
		(await call<Tool>("POST", `/tools/${id}/introspect`)).body;
	/** The tool once its build has ended, however long that takes. */
	const settled = async (tool: Tool): Promise<Tool> => {
		let now = await introspect(tool);
		while (now.build?.state === "building") {
			await sleep(100);
			now = (await call<Tool>("GET", `/tools/${tool.id}`)).body;
		}
		return now;
	};
	const built = async (code_src: string, rest?: object): Promise<Tool> => {
		const tool = await settled(await createTool(code_src, rest));
		if (tool.build?.state !== "built") throw new Error(JSON.stringify(tool.build));
		return tool;
	};
	const run = ({ id }: Tool, sample_input: object = {}, version?: number) =>
		call<RunResult>("POST", `/tools/${id}${version ? `/versions/${version}` : ""}/run`, {
			...{ sample_input, confirm_side_effects: true },
		});
	return { call, createTool, introspect, settled, built, run };
}

/** Another organisation beside the demo's, written where the stack keeps its rows. */
export async function newOrganisation(): Promise<Client> {
	const { keys, sql } = await createBootstrap(`Organisation ${crypto.randomUUID()}`);
	const databases = `${inject("baseUrl")}/cdn-cgi/local/explorer/api/d1/database`;
	const { result } = (await (await fetch(databases)).json()) as { result: { uuid: string }[] };
	const response = await fetch(`${databases}/${result[0]?.uuid}/raw`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ sql }),
	});
	if (!response.ok) throw new Error(await response.text());
	return clientOf(keys.api_key);
}
