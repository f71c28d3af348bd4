import { expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../test/client.ts";
import type { BaseEnv } from "../base-env.ts";
import { agentsPlane } from "../planes/planes.ts";
import type { RouteSpec } from "../route.ts";
import { createRouter } from "../router.ts";

const { call } = await createClient();

test("an answer of 201 or 202 says where the resource is", async () => {
	const created = await call("POST", "/v1/notes", { body: '{"text":"where is it"}' });
	expect([created.status, created.headers.get("location")]).toEqual([201, "/v1/notes/where%20is%20it"]);
	const queued = await call("POST", "/v1/notes/a/run?later=true");
	expect([queued.status, queued.headers.get("location")]).toEqual([202, "/v1/notes/a"]);
	expect(queued.headers.get("retry-after")).toBe("3");
	const done = await call("POST", "/v1/notes/a/run");
	expect([done.status, done.headers.get("location")]).toEqual([200, null]);
});

test("a repeated request is answered with the same location", async () => {
	const create = () =>
		call("POST", "/v1/notes", { body: '{"text":"once"}', headers: { "idempotency-key": "located" } });
	await create();
	const again = await create();
	expect(again.headers.get("idempotent-replayed")).toBe("true");
	expect(again.headers.get("location")).toBe("/v1/notes/once");
});

test("a route that answers 201 or 202 cannot be registered without a location", () => {
	const router = createRouter<BaseEnv, unknown>(agentsPlane, (base) => base);
	const spec: RouteSpec = {
		...{ path: "/v1/things", operationId: "createThing", summary: "Create a thing", tag: "Things" },
		method: "post",
		access: "any-key",
		response: z.object({}),
	};
	expect(() => router.route({ ...spec, status: 201 }, () => ({}))).toThrow(
		"createThing: 201 needs a location",
	);
	const later = { 202: { description: "Queued" } };
	expect(() => router.route({ ...spec, otherResponses: later }, () => ({}))).toThrow("202 needs a location");
});
