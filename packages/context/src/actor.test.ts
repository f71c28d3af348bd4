import { expect, test } from "vitest";
import { systemActor, usageAccount } from "./actor.ts";

test("work that Parley does by itself has an identity but no scopes", () => {
	const actor = systemActor("mcp", "org-1");
	expect(actor).toMatchObject({ type: "system", id: "system:mcp", organisation: { id: "org-1" } });
	expect(actor.scopes.size).toBe(0);
});

test("usage is counted under an API key's id, and under the identity of any other actor", () => {
	const actor = systemActor("mcp", "org-1");
	expect(usageAccount(actor)).toBe("system:mcp");
	const key = { type: "api_key", keyId: "k1", family: "consumer", expiresAt: null } as const;
	expect(usageAccount({ ...actor, ...key, id: "api_key:k1" })).toBe("k1");
});
