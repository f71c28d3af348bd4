import type { ToolRef } from "@parley/contracts/agents/attachments";
import { expect, test } from "vitest";
import { attachmentProblems, MAX_CHAIN_DEPTH } from "./attachment-rules.ts";

const id = (n: number) => `01938f5e-7c00-7000-8000-${String(n).padStart(12, "0")}`;

const after = (n: number, ...sources: number[]): ToolRef => ({
	attachment_id: id(n),
	tool_id: id(1000),
	version: 1,
	description: "",
	invocation: "system",
	system: {
		triggers: [
			{ event: "call_start" },
			...sources.map((source) => ({ event: "tool_succeeded" as const, source_attachment_id: id(source) })),
		],
		arguments: {},
	},
	execution_policy: { pre_action_message: { enabled: false, text: "", wait: false } },
	argument_overrides: {},
	config_overrides: null,
});

const mcp = (n: number) => ({
	...{ attachment_id: id(n), server_id: id(2000), tool_name: "search", description: "" },
	...{ invocation: "model" as const, argument_overrides: {}, observed_schema_hash: "0".repeat(64) },
});

const problems = (...tool_refs: ToolRef[]) => attachmentProblems({ tool_refs, mcp_refs: [] });
const chain = (length: number) => Array.from({ length }, (_, n) => after(n, ...(n > 0 ? [n - 1] : [])));

test("tools can be chained", () => {
	expect(problems(after(2, 1), after(1), after(3, 1, 2))).toEqual([]);
});

test("a tool can follow an MCP tool", () => {
	expect(attachmentProblems({ tool_refs: [after(1, 2)], mcp_refs: [mcp(2)] })).toEqual([]);
});

test("a chain of maximum length is accepted and a longer one rejected", () => {
	expect(problems(...chain(MAX_CHAIN_DEPTH + 1))).toEqual([]);
	expect(problems(...chain(MAX_CHAIN_DEPTH + 2).reverse())).toEqual([
		{
			path: "tool_refs.0.system.triggers.1.source_attachment_id",
			message: "The chain of triggers is longer than 32",
		},
	]);
});

test("a cyclic chain is rejected at the trigger that closes the cycle", () => {
	const path = "tool_refs.1.system.triggers.1.source_attachment_id";
	const message = "The chain of triggers leads back to itself";
	expect(problems(after(1, 2), after(2, 1))).toEqual([{ path, message }]);
	expect(problems(after(1, 1))[0]).toMatchObject({ message });
});

test("a trigger source that is not an attachment of the agent is rejected", () => {
	expect(problems(after(1, 9))).toEqual([
		{
			path: "tool_refs.0.system.triggers.1.source_attachment_id",
			message: "No attachment of the agent has this id",
		},
	]);
});

test("a repeated attachment id is rejected across all kinds", () => {
	const message = "Another attachment of the agent has this id";
	expect(problems(after(1), after(1))).toEqual([{ path: "tool_refs.1.attachment_id", message }]);
	expect(attachmentProblems({ tool_refs: [after(1)], mcp_refs: [mcp(1)] })).toEqual([
		{ path: "mcp_refs.0.attachment_id", message },
	]);
});
