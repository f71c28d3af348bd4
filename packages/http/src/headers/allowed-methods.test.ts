import { expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../../test/client.ts";
import type { RouteSpec } from "../route.ts";
import { allowedMethods } from "./allowed-methods.ts";

const spec = (method: string, path: string, params?: z.ZodObject) => ({ method, path, params }) as RouteSpec;

test("a path takes the methods of its operations, and HEAD wherever GET", () => {
	const agent = z.object({ agent_id: z.uuid() });
	const specs = [
		spec("get", "/v1/agents/tools"),
		spec("post", "/v1/agents/tools"),
		spec("delete", "/v1/agents/{agent_id}", agent),
		spec("get", "/v1/models/{model_code+}"),
	];
	expect(allowedMethods(specs, "/v1/agents/tools")).toEqual(["GET", "HEAD", "POST"]);
	expect(allowedMethods(specs, `/v1/agents/${crypto.randomUUID()}`)).toEqual(["DELETE"]);
	expect(allowedMethods(specs, "/v1/models/vendor/model")).toEqual(["GET", "HEAD"]);
	expect(allowedMethods(specs, "/v1/agents/nobody")).toEqual([]);
});

test("a path that does not take a method answers 405 with the methods that it takes", async () => {
	const { call } = await createClient();
	const response = await call("PUT", "/v1/notes/a");
	expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
	expect(await response.json()).toMatchObject({
		detail: "/v1/notes/a does not support PUT. Use GET, HEAD.",
		error: { code: "METHOD_NOT_ALLOWED", retryable: false },
	});
	for (const page of ["/health", "/openapi.json", "/docs"]) {
		const posted = await call("POST", page);
		expect([page, posted.status, posted.headers.get("allow")]).toEqual([page, 405, "GET, HEAD"]);
	}
	const unknown = await call("PUT", "/v1/nothing");
	expect([unknown.status, unknown.headers.get("allow")]).toEqual([404, null]);
	expect(await unknown.json()).toMatchObject({ detail: "Path not found: /v1/nothing" });
});

test("OPTIONS tells the methods of a path without a key", async () => {
	const { call } = await createClient();
	const options = await call("OPTIONS", "/v1/notes", { headers: { authorization: "" } });
	expect([options.status, options.headers.get("allow")]).toEqual([204, "POST"]);
	expect((await call("OPTIONS", "/v1/nothing")).status).toBe(404);
});
