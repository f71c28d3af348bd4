import { describe, expect, test } from "vitest";
import type { RouteSpec } from "../route.ts";

type Worker = {
	specs: readonly RouteSpec[];
	fetch: (request: Request) => Response | Promise<Response>;
	/** Creates an agent's credentials. */
	credentials: () => Promise<{ agentId: string; agentKey: string; sessionToken: string }>;
};

/** For tests: no operation of a worker takes the credentials of an agent, except the runtime API of that agent. */
export function testAgentCredentials({ specs, fetch, credentials }: Worker): void {
	const call = async (spec: RouteSpec, credential: string, agentId: string) => {
		const path = spec.path
			.replace("{agent_id}", agentId)
			.replaceAll(/\{\w*id\}/g, () => crypto.randomUUID())
			.replaceAll(/\{\w+\+?\}/g, "1");
		const method = spec.method.toUpperCase();
		const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
		const body = method === "GET" ? null : "{}";
		const response = await fetch(new Request(`https://parley.example${path}`, { method, headers, body }));
		return [spec.operationId, response.status];
	};

	describe("the credentials of an agent", () => {
		test("are refused by every operation outside the runtime API", async () => {
			const { agentId, agentKey, sessionToken } = await credentials();
			for (const spec of specs.filter(({ access }) => access !== "runtime:use")) {
				expect(await call(spec, agentKey, agentId)).toEqual([spec.operationId, 403]);
				expect(await call(spec, sessionToken, agentId)).toEqual([spec.operationId, 403]);
			}
		});

		test("are refused by the runtime API of another agent", async () => {
			const { agentKey, sessionToken } = await credentials();
			for (const spec of specs.filter(({ access }) => access === "runtime:use")) {
				expect(spec.path).toMatch(/^\/v1\/agents\/\{agent_id\}\//);
				for (const agentId of [crypto.randomUUID(), "x"]) {
					expect(await call(spec, agentKey, agentId)).toEqual([spec.operationId, 403]);
					expect(await call(spec, sessionToken, agentId)).toEqual([spec.operationId, 403]);
				}
			}
		});
	});
}
