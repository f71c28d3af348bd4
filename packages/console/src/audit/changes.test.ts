import { expect, test } from "vitest";
import { describeAction, readChanges, showValue } from "./changes.ts";

test("fields that changed are told from those that stayed", () => {
	const details = {
		before: { role: "viewer", name: "Vera", email: null },
		after: { role: "admin", name: "Vera", email: "vera@acme.example" },
		reason: "promoted",
	};
	expect(readChanges(details)).toEqual({
		changes: [
			{ field: "role", before: "viewer", after: "admin" },
			{ field: "email", before: null, after: "vera@acme.example" },
		],
		rest: [["reason", "promoted"]],
	});
	expect(readChanges({ family: "batch" })).toEqual({ changes: [], rest: [["family", "batch"]] });
});

test("values and actions are shown as people read them", () => {
	expect(showValue(["batch:read", "batch:write"])).toBe("batch:read, batch:write");
	expect(showValue(null)).toBeUndefined();
	expect(showValue(false)).toBe("false");
	expect(describeAction("api_key.create")).toBe("Created API key");
	expect(describeAction("agent.accept_drift")).toBe("Accepted the drift of agent");
	expect(describeAction("session.create")).toBe("Signed in");
	expect(describeAction("tool.unheard_of")).toBe("Unheard of tool");
	expect(describeAction("mcp_server.update")).toBe("Changed MCP server");
});
