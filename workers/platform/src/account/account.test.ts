import { env, exports } from "cloudflare:workers";
import { createOrganisation } from "@parley/testing/organisation";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const getMe = (headers: Record<string, string>) =>
	exports.default.fetch(new Request("https://parley.example/v1/me", { headers }));

test("a key learns whom it belongs to", async () => {
	const { id, key } = await createOrganisation(env.DB);
	const response = await getMe({ authorization: `Bearer ${key}` });
	expect(response.status).toBe(200);
	expect(await response.json()).toEqual({
		name: null,
		email: null,
		org_id: id,
		org_name: `org-${id}`,
		api_key_label: "test",
		tier: "standard",
	});
});

test("an organisation is told with every feature and what it may still use", async () => {
	const client = await createClient({ features: { curated_types_creatable: true }, creditSeconds: 90 });
	expect(await client.call("GET", "/v1/organisation")).toMatchObject({
		status: 200,
		body: {
			id: client.id,
			tier: "standard",
			features: { code_tools: true, curated_types_creatable: true },
			credit_seconds: 90,
		},
	});
});

test("a request without a key, or with one that is none, is refused with the plane's error body", async () => {
	const refusal = async (headers: Record<string, string>, message: string) => {
		const response = await getMe({ "x-request-id": "req-12345678", ...headers });
		expect(response.status).toBe(401);
		expect(response.headers.get("x-request-id")).toBe("req-12345678");
		expect(await response.json()).toEqual({
			detail: message,
			error: { code: "AUTH_REQUIRED", message, retryable: false, request_id: "req-12345678" },
		});
	};
	await refusal({}, "Missing API key: send the header Authorization: Bearer <key>");
	await refusal({ authorization: "Bearer parley_cu_nobody" }, "Invalid API key");
});
