// What the tests of code tools say to the agents plane, over HTTP, as any client would.
import { join } from "node:path";
import type { RunResult } from "@parley/contracts/agents/tool-runs";
import type { Tool } from "@parley/contracts/agents/tools";
import { run, sleep } from "@parley/dev-stack/processes/processes";
import { root } from "@parley/dev-stack/settings/configs";
import type { Bootstrap } from "@parley/dev-stack/state/bootstrap";
import { inject } from "vitest";

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

/** Creates another organisation in the running stack. */
export async function newOrganisation(): Promise<Client> {
	const command = [process.execPath, join(root, "scripts/run.mjs"), "bootstrap", "--another"];
	const keys: Bootstrap = JSON.parse(run(command, { PARLEY_STATE: inject("state") }));
	return clientOf(keys.api_key);
}
