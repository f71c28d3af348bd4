import { createHash } from "node:crypto";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashContent, hashSource, secretNames, type ToolContent } from "./tool-content.ts";

const content = (parts: Partial<ToolContent> = {}): ToolContent => ({
	toolType: "code",
	description: "",
	config: TOOL_CONFIGS.code.parse({ type: "code" }),
	argumentDefaults: {},
	codeSrc: "",
	declaredSecrets: [],
	dependencies: [],
	...parts,
});

test("the hash is SHA-256 over its label and the canonical JSON of the seven parts", async () => {
	const parts = {
		...{ description: "é", argumentDefaults: { b: 1, a: true }, codeSrc: "x = 1\n" },
		...{ declaredSecrets: ["B", "A"], dependencies: ["Zope.Interface==6.0", "a[Y,x]==1.0RC1"] },
	};
	const text =
		'{"argument_defaults":{"a":true,"b":1},"code_src":"x = 1\\n","config":{"output_schema":null,"type":"code"},' +
		'"declared_secrets":["A","B"],"dependencies":["a[x,y]==1.0rc1","zope-interface==6.0"],"description":"é",' +
		'"tool_type":"code"}';
	expect(await hashContent(content(parts))).toBe(
		createHash("sha256").update(`parley.tool.v1\n${text}`).digest("hex"),
	);
});

test("the order of secrets and packages and the spelling of packages do not change the hash", async () => {
	const name = fc.stringMatching(/^[A-Z](?:[A-Z0-9_]{0,8}[A-Z0-9])?$/);
	const names = fc.uniqueArray(name, { maxLength: 6 });
	await fc.assert(
		fc.asyncProperty(names, names, fc.infiniteStream(fc.nat(100)), async (secrets, packages, dice) => {
			const shuffled = <T>(list: T[]): T[] =>
				list
					.map((item) => ({ item, at: dice.next().value as number }))
					.toSorted((a, b) => a.at - b.at)
					.map(({ item }) => item);
			const pins = packages.map((one) => `${one}==1.0`);
			const same = content({
				declaredSecrets: shuffled(secrets),
				dependencies: shuffled(pins).map((pin) => pin.replaceAll("_", "-").toLowerCase()),
			});
			const hash = await hashContent(content({ declaredSecrets: secrets, dependencies: pins }));
			expect(await hashContent(same)).toBe(hash);
		}),
	);
});

test("any other difference changes the hash", async () => {
	const variants: Partial<ToolContent>[] = [
		{},
		{ description: "x" },
		{ codeSrc: "x" },
		{ codeSrc: null },
		{ argumentDefaults: { a: 1 } },
		{ argumentDefaults: { a: "1" } },
		{ declaredSecrets: ["A"] },
		{ dependencies: ["a==1"] },
		{ dependencies: ["a==2"] },
		{ config: TOOL_CONFIGS.code.parse({ type: "code", output_schema: {} }) },
		{ toolType: "end_call" },
	];
	const hashes = await Promise.all(variants.map((parts) => hashContent(content(parts))));
	expect(new Set(hashes).size).toBe(variants.length);
});

test("the source hash covers the code, secrets and packages of code tools only", async () => {
	const hash = await hashSource(content());
	const moved: Partial<ToolContent>[] = [
		{ codeSrc: "x" },
		{ declaredSecrets: ["A"] },
		{ dependencies: ["a==1"] },
	];
	for (const parts of moved) expect(await hashSource(content(parts))).not.toBe(hash);
	const output_schema = { type: "object" };
	const same: Partial<ToolContent>[] = [
		{ description: "x" },
		{ argumentDefaults: { a: 1 } },
		{ config: TOOL_CONFIGS.code.parse({ type: "code", output_schema }) },
	];
	for (const parts of same) expect(await hashSource(content(parts))).toBe(hash);
	expect(await hashSource(content({ toolType: "end_call" }))).toBeNull();
});

test("names in secret fields must be secrets, names in templates may be variables", () => {
	const config = TOOL_CONFIGS.api_request.parse({
		type: "api_request",
		url: "https://a.example/{{$VARIABLE}}",
		auth: { type: "bearer", secret_name: "A" },
		headers: [
			{ name: "X", secret_name: "B" },
			{ name: "Y", value: "{{$C}}" },
		],
	});
	const argumentDefaults = { secret_name: "{{$D}}", "x.secret_name": "{{$E}}" };
	expect(secretNames(content({ config, argumentDefaults })).toSorted()).toEqual(["A", "B"]);
	expect(secretNames(content({ declaredSecrets: ["A", "B"] }))).toEqual(["A", "B"]);
});
