import { type TOOL_CONFIGS, ToolConfig } from "@parley/contracts/agents/tool-config";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HolderContent, referencesOf } from "./reference-locations.ts";

const tool = (parts: object): HolderContent => ({
	...{ type: "tool", config: { type: "code" }, argument_defaults: {}, declared_secrets: [] },
	...parts,
});
const locations = (holder: HolderContent) =>
	referencesOf(holder).map(({ name, location }) => [name, location]);

test("a tool refers to the vault in its templates, credentials, defaults and declarations", () => {
	const config = {
		type: "api_request",
		url: "https://a.example/{{$IN_URL}}",
		auth: { type: "bearer", secret_name: "BEARER" },
		headers: [
			{ name: "{{$NOT_A_VALUE}}", value: "{{$IN_HEADER}}" },
			{ name: "X", secret_name: "HEADER" },
		],
		response: { instructions: "Say {{$IN_TEXT}}" },
	};
	const parts = { config, argument_defaults: { a: "{{$DEFAULT}}" }, declared_secrets: ["DECLARED"] };
	expect(locations(tool(parts)).toSorted()).toEqual([
		["BEARER", "config.auth.secret_name"],
		["DECLARED", "declared_secrets.0"],
		["DEFAULT", "argument_defaults.a"],
		["HEADER", "config.headers.1.secret_name"],
		["IN_HEADER", "config.headers.0.value"],
		["IN_TEXT", "config.response.instructions"],
		["IN_URL", "config.url"],
	]);
});

test("schemas and names never contain references", () => {
	const schema = { type: "object", description: "{{$A}}", properties: { secret_name: { const: "B" } } };
	expect(
		locations(tool({ config: { type: "api_request", parameters: schema, output_schema: schema } })),
	).toEqual([]);
	const config = { name: "{{$A}}", description: "{{$B}}", greeting: "{{$C}} {{$C}} {{ $D }}" };
	expect(locations({ type: "agent", config })).toEqual([
		["C", "greeting"],
		["D", "greeting"],
	]);
});

test("an argument named secret_name or description is an ordinary argument", () => {
	const parts = { argument_defaults: { secret_name: "PLAIN", description: "{{$A}}" } };
	expect(locations(tool(parts))).toEqual([["A", "argument_defaults.description"]]);
	const config = { tool_refs: [{ argument_overrides: { secret_name: "{{$A}}", name: "{{$B}}" } }] };
	expect(locations({ type: "agent_version", config })).toEqual([
		["A", "tool_refs.0.argument_overrides.secret_name"],
		["B", "tool_refs.0.argument_overrides.name"],
	]);
});

test("an MCP server refers to the vault in its address, credentials and headers", () => {
	const server: HolderContent = {
		type: "mcp_server",
		url_template: "{{$BASE}}/mcp",
		auth: { type: "header", header_name: "X", secret_name: "KEY" },
		headers: [{ name: "Y", value: "{{$VALUE}}" }],
	};
	expect(locations(server)).toEqual([
		["BASE", "url_template"],
		["KEY", "auth.secret_name"],
		["VALUE", "headers.0.value"],
	]);
});

test("sending an SMS needs its two secrets", () => {
	expect(locations(tool({ config: { type: "send_sms" } }))).toEqual([
		["SMS_ACCOUNT_ID", "config.type"],
		["SMS_AUTH_TOKEN", "config.type"],
	]);
});

test("every configuration string that may be a template is searched", () => {
	const places: Record<keyof typeof TOOL_CONFIGS, object[]> = {
		...{ code: [], send_sms: [] },
		api_request: [
			{ url: "https://a.example/{{$T}}" },
			{ url: "/", headers: [{ name: "X", value: "{{$T}}" }] },
		],
		end_call: [{ prompt: "{{$T}}" }],
		current_datetime: [{ prompt: "{{$T}}" }],
		user_phone_number: [{ prompt: "{{$T}}" }],
		voicemail_detection: [{ prompt: "{{$T}}" }, { voicemail_message: "{{$T}}" }],
		transfer_call: [{ phone_number: "{{$T}}" }, { sip_uri: "{{$T}}" }, { announcement: "{{$T}}" }],
	};
	for (const [type, members] of Object.entries(places))
		for (const member of members) {
			const config = ToolConfig.parse({ type, ...member });
			expect(
				locations(tool({ config })).map(([name]) => name),
				JSON.stringify(member),
			).toContain("T");
		}
});

test("every location in an agent's configuration leads to the name", () => {
	const text = fc.constantFrom("plain", "{{$AAA}}", "x {{ $BBB }} y");
	const { value } = fc.letrec((tie) => ({
		value: fc.oneof(
			{ maxDepth: 4 },
			text,
			fc.array(tie("value")),
			fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("value")),
		),
	}));
	fc.assert(
		fc.property(value, (prompts) => {
			const config = { prompts };
			for (const { name, location } of referencesOf({ type: "agent", config })) {
				const found = location
					.split(".")
					.reduce<unknown>((holder, key) => (holder as Record<string, unknown>)[key], config);
				expect(found).toContain(name);
			}
			const written = JSON.stringify(config).match(/AAA|BBB/g)?.length ?? 0;
			expect(referencesOf({ type: "agent", config })).toHaveLength(written);
		}),
	);
});

test("a holder has at most 2,000 references to the vault", () => {
	const agent = (count: number): HolderContent => ({
		...{ type: "agent", config: { template_defaults: Array(count).fill("{{$A}}") } },
	});
	expect(referencesOf(agent(2000))).toHaveLength(2000);
	expect(() => referencesOf(agent(2001))).toThrow("refers to the vault in more than 2000 places");
});

test("a location that is too long for the index is cut", () => {
	const config = { models: { llm_kwargs: { ["k".repeat(600)]: ["{{$A}}", "{{$A}}", "{{$B}}"] } } };
	const location = `models.llm_kwargs.${"k".repeat(494)}`;
	expect(locations({ type: "agent", config })).toEqual([
		["A", location],
		["B", location],
	]);
});
