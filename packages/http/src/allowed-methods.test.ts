import { expect, test } from "vitest";
import { z } from "zod";
import { createClient } from "../test/client.ts";
import { allowedMethods } from "./allowed-methods.ts";
import type { RouteSpec } from "./route.ts";

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

test("a path called by another method is not found, and says what it takes", async () => {
	const { call } = await createClient();
	const response = await call("PUT", "/v1/notes/a");
	expect([response.status, response.headers.get("allow")]).toEqual([404, "GET, HEAD"]);
	expect(await response.json()).toMatchObject({
		detail: "This path takes GET, HEAD, not PUT",
		error: { code: "RESOURCE_NOT_FOUND" },
	});
	const unknown = await call("PUT", "/v1/nothing");
	expect([unknown.status, unknown.headers.get("allow")]).toEqual([404, null]);
});
