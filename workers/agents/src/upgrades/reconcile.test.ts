import { ToolRef } from "@parley/contracts/agents/attachments";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import { schemaOf } from "../../test/published-tool.ts";
import { move } from "../../test/upgrade-cases.ts";
import { overrideProblems } from "../agents/attachments/override-rules.ts";
import { reconcile, type VersionContent, vaultNamesOf } from "./reconcile.ts";

type Json = Record<string, unknown>;
const text = { type: "string" };

function version(
	versionNumber: number,
	parameters: Record<string, Json>,
	more: Partial<ToolSnapshot> = {},
): VersionContent {
	const argument_schema = schemaOf(parameters);
	const config = { type: "api_request", url: "https://api.example/", parameters: argument_schema };
	const snapshot: ToolSnapshot = {
		...{ name: "t", description: "", tool_type: "api_request", argument_schema, argument_defaults: {} },
		...{ config: TOOL_CONFIGS.api_request.parse(config), ...more },
	};
	return { versionNumber, snapshot, declaredSecrets: [] };
}

const attach = (fields: object): ToolRef =>
	ToolRef.parse({ attachment_id: crypto.randomUUID(), tool_id: crypto.randomUUID(), version: 1, ...fields });

const bySystem = (values: object, more: object = {}) =>
	attach({
		invocation: "system",
		system: { triggers: [{ event: "call_start" }], arguments: values },
		...more,
	});

const issues = (attachment: ToolRef, from: VersionContent, to: VersionContent, ...vaultNames: string[]) =>
	reconcile(attachment, from, to, new Set(vaultNames)).issues.map(({ code, parameter }) => [code, parameter]);

test("values of a renamed parameter move to the new name", () => {
	const attachment = bySystem({ city: "Oslo" }, { argument_overrides: { city: "Bergen" } });
	const { attachment: moved, issues } = reconcile(
		attachment,
		version(1, { city: text }),
		version(2, { town: text }),
		new Set(),
	);
	expect(moved).toEqual({
		...attachment,
		version: 2,
		argument_overrides: { town: "Bergen" },
		system: { ...attachment.system, arguments: { town: "Oslo" } },
	});
	expect(issues).toEqual([]);
});

test("a value for a removed or retyped parameter is an issue", () => {
	const from = version(1, { a: text, b: text, c: text });
	const to = version(2, { b: { type: "integer" }, c: text, d: { type: "boolean" } });
	const values = { argument_overrides: { a: "1", b: "2", c: "3" } };
	expect(issues(attach(values), from, to)).toEqual([
		["OVERRIDE_OF_REMOVED_PARAMETER", "a"],
		["OVERRIDE_OF_RETYPED_PARAMETER", "b"],
	]);
	expect(issues(attach({}), from, to)).toEqual([]);
});

test("a value for a parameter that became required is not an issue", () => {
	const attachment = attach({ argument_overrides: { a: "1" } });
	expect(issues(attachment, version(1, { a: text }), version(2, { "a!": text }))).toEqual([]);
});

test("a new required parameter is an issue only for a system attachment that does not set it", () => {
	const [from, to] = [version(1, { a: text }), version(2, { a: text, "b!": { type: "integer" } })];
	expect(issues(bySystem({ a: "1" }), from, to)).toEqual([["REQUIRED_PARAMETER_UNFILLED", "b"]]);
	expect(issues(attach({}), from, to)).toEqual([]);
	const filled = { ...to, snapshot: { ...to.snapshot, argument_defaults: { b: 1 } } };
	expect(issues(bySystem({ a: "1" }), from, filled)).toEqual([]);
	expect(issues(bySystem({}), version(1, { a: text }), version(2, { "a!": text }))).toEqual([
		["REQUIRED_PARAMETER_UNFILLED", "a"],
	]);
});

test("a required parameter that was already unset is not an issue", () => {
	expect(issues(bySystem({}), version(1, { "a!": text }), version(2, { "b!": text }))).toEqual([]);
});

test("a missing vault entry is an issue, whether the attachment or the version names it", () => {
	const [from, to] = [version(1, { a: text }), version(2, { a: text })];
	const attachment = attach({ argument_overrides: { a: "{{$REGION}}" } });
	expect(issues(attachment, from, to)).toEqual([["VAULT_ENTRY_MISSING", null]]);
	expect(issues(attachment, from, to, "REGION")).toEqual([]);
	const auth = { type: "bearer", secret_name: "TOKEN" };
	const secured = version(
		2,
		{ a: text },
		{
			config: TOOL_CONFIGS.api_request.parse({ type: "api_request", url: "https://api.example/", auth }),
		},
	);
	expect(issues(attach({}), from, secured)).toEqual([["VAULT_ENTRY_MISSING", null]]);
	expect(vaultNamesOf(attachment, secured)).toEqual(["REGION", "TOKEN"]);
});

test("a configuration member that the target does not accept is an issue", () => {
	const to = version(
		2,
		{},
		{ tool_type: "end_call", config: TOOL_CONFIGS.end_call.parse({ type: "end_call" }) },
	);
	const attachment = attach({ config_overrides: { type: "api_request", retries: 1 } });
	expect(issues(attachment, version(1, {}), to)).toEqual([["CONFIG_OVERRIDE_INVALID", null]]);
});

test("moving to the pinned version or one with equal content changes nothing", () => {
	fc.assert(
		fc.property(move, ({ from, attachment, vaultNames }) => {
			const held = { versionNumber: 1, snapshot: from, declaredSecrets: [] };
			const diff = { added: [], removed: [], renamed: {}, retyped: {} };
			expect(reconcile(attachment, held, held, vaultNames)).toEqual({ attachment, diff, issues: [] });
			const same = { ...held, versionNumber: 2 };
			expect(reconcile(attachment, held, same, new Set(vaultNamesOf(attachment, held)))).toEqual({
				attachment: { ...attachment, version: 2 },
				...{ diff, issues: [] },
			});
		}),
	);
});

test("an attachment without issues is valid for the target version", () => {
	fc.assert(
		fc.property(move, ({ from, to, attachment, vaultNames }) => {
			const target = { versionNumber: 2, snapshot: to, declaredSecrets: [] };
			const result = reconcile(
				attachment,
				{ versionNumber: 1, snapshot: from, declaredSecrets: [] },
				target,
				vaultNames,
			);
			if (result.issues.length > 0) return;
			expect(overrideProblems(result.attachment, to)).toEqual([]);
			expect(vaultNamesOf(result.attachment, target).filter((name) => !vaultNames.has(name))).toEqual([]);
		}),
		{ numRuns: 300 },
	);
});

test("the same inputs give the same result", () => {
	fc.assert(
		fc.property(move, ({ from, to, attachment, vaultNames }) => {
			const content = (n: number, snapshot: ToolSnapshot) => ({
				versionNumber: n,
				snapshot,
				declaredSecrets: [],
			});
			const once = reconcile(attachment, content(1, from), content(2, to), vaultNames);
			expect(
				reconcile(
					structuredClone(attachment),
					content(1, structuredClone(from)),
					content(2, structuredClone(to)),
					new Set([...vaultNames].reverse()),
				),
			).toEqual(once);
		}),
	);
});
