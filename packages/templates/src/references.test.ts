import fc from "fast-check";
import { expect, test } from "vitest";
import { collectArgumentReferences, collectMalformedTokens, collectVaultReferences } from "./references.ts";

const agent = {
	system_prompt: "Call {{$COMPANY}} and again {{ $COMPANY }}, never {{caller}}",
	greeting: null,
	tool_refs: [
		{ argument_overrides: { x: "{{$REGION}}", count: 3 }, "odd.key": "{{$ODD}}" },
		{ argument_overrides: { list: ["a", ["{{$DEEP}}/{{$REGION}}"]] } },
	],
};

test("vault references are found at any depth with dotted locations, once each", () => {
	expect(collectVaultReferences(agent)).toEqual([
		{ name: "COMPANY", location: "system_prompt" },
		{ name: "REGION", location: "tool_refs[0].argument_overrides.x" },
		{ name: "ODD", location: 'tool_refs[0]["odd.key"]' },
		{ name: "DEEP", location: "tool_refs[1].argument_overrides.list[1][0]" },
		{ name: "REGION", location: "tool_refs[1].argument_overrides.list[1][0]" },
	]);
});

test("argument references are found the same way", () => {
	expect(collectArgumentReferences({ url: "https://h/{{id}}/{{$A}}?q={{ q }}" })).toEqual([
		{ name: "id", location: "url" },
		{ name: "q", location: "url" },
	]);
});

test("members that hold bare names count when they are named", () => {
	const tool = {
		config: {
			auth: { type: "bearer", secret_name: "TOKEN" },
			headers: [{ name: "X", secret_name: "OTHER" }],
		},
		declared_secrets: ["ONE", "not a name", "TWO"],
	};
	expect(collectVaultReferences(tool)).toEqual([]);
	expect(collectVaultReferences(tool, { nameMembers: ["secret_name", "declared_secrets"] })).toEqual([
		{ name: "TOKEN", location: "config.auth.secret_name" },
		{ name: "OTHER", location: "config.headers[0].secret_name" },
		{ name: "ONE", location: "declared_secrets[0]" },
		{ name: "TWO", location: "declared_secrets[2]" },
	]);
});

test("a lone string is at the empty location, and what is no string holds nothing", () => {
	expect(collectVaultReferences("{{$A}}")).toEqual([{ name: "A", location: "" }]);
	for (const value of [null, undefined, 1, true, {}, []]) expect(collectVaultReferences(value)).toEqual([]);
});

test("keys are not templates", () => {
	expect(collectVaultReferences({ "{{$A}}": 1 })).toEqual([]);
});

test("malformed tokens are told with their text", () => {
	expect(collectMalformedTokens({ a: ["fine", "{{$bad}} {{"] })).toEqual([
		{ token: "{{$bad}}", location: "a[1]" },
		{ token: "{{", location: "a[1]" },
	]);
});

test("a reference planted anywhere in any JSON value is found where it was planted", () => {
	const keys = fc.stringMatching(/^[a-z_]{1,8}$/);
	const steps = fc.array(fc.oneof(keys, fc.nat(3)), { maxLength: 6 });
	fc.assert(
		fc.property(steps, fc.string(), (path, noise) => {
			const planted: unknown = path.reduceRight<unknown>(
				(inner, step) =>
					typeof step === "number" ? [...Array(step).fill(0), inner] : { before: 0, [step]: inner },
				`${noise.replaceAll(/[{}]/g, "")}{{$PLANTED}}`,
			);
			const location = path
				.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
				.join("")
				.replace(/^\./, "");
			expect(collectVaultReferences(planted)).toEqual([{ name: "PLANTED", location }]);
		}),
	);
});
