import { describe, expect, test } from "vitest";
import { TOOL_CONFIGS, ToolConfig } from "./tool-config.ts";
import { CreateTool, packageName, UpdateTool } from "./tools.ts";

const faults = (body: unknown) =>
	(CreateTool.safeParse(body).error?.issues ?? []).flatMap((issue) =>
		issue.code === "unrecognized_keys" ? issue.keys : [issue.path.join(".")],
	);

const request = (config: object) => ({
	name: "t",
	tool_type: "api_request",
	config: { type: "api_request", url: "https://api.example/", ...config },
});

test("a body without a type is a code tool", () => {
	expect(CreateTool.parse({ name: "sum" })).toEqual({
		name: "sum",
		tool_type: "code",
		description: "",
		argument_defaults: {},
		config: { type: "code", output_schema: null },
		code_src: "",
		declared_secrets: [],
		dependencies: [],
	});
});

test("every type but api_request needs no configuration, and gets the documented defaults", () => {
	for (const tool_type of Object.keys(TOOL_CONFIGS)) {
		const result = CreateTool.safeParse({ name: "t", tool_type });
		expect(result.success, tool_type).toBe(tool_type !== "api_request");
	}
	expect(CreateTool.parse(request({})).config).toEqual({
		type: "api_request",
		url: "https://api.example/",
		http_method: "POST",
		auth: { type: "none" },
		headers: [],
		parameters: { type: "object", properties: {} },
		strict: true,
		body_format: "raw",
		timeout_seconds: 10,
		retries: 0,
		output_schema: null,
		response: { show_to_llm: true, instructions: null },
	});
});

describe("a body is refused at the field for", () => {
	test.each([
		["an unknown type", { name: "t", tool_type: "email" }, "tool_type"],
		["a name with a space", { name: "a b" }, "name"],
		["a name of 201 characters", { name: "a".repeat(201) }, "name"],
		["a description of 2001 characters", { name: "t", description: "a".repeat(2001) }, "description"],
		["an unknown property", { name: "t", colour: "red" }, "colour"],
		["source code of another type", { name: "t", tool_type: "end_call", code_src: "x" }, "code_src"],
		["a configuration of another type", { name: "t", config: { type: "end_call" } }, "config.type"],
		["an unknown member of the configuration", request({ verb: "GET" }), "verb"],
		["a configuration without its type", { ...request({}), config: { url: "https://a.b" } }, "config.type"],
		["an unknown method", request({ http_method: "HEAD" }), "config.http_method"],
		[
			"a secret name in small letters",
			request({ auth: { type: "bearer", secret_name: "key" } }),
			"config.auth.secret_name",
		],
		[
			"a header twice",
			request({
				headers: [
					{ name: "A", value: "1" },
					{ name: "a", value: "2" },
				],
			}),
			"config.headers.1.name",
		],
		["61 seconds", request({ timeout_seconds: 61 }), "config.timeout_seconds"],
		["4 retries", request({ retries: 4 }), "config.retries"],
		["arguments that are no object", request({ parameters: { type: "string" } }), "config.parameters.type"],
		["a range of versions", { name: "t", dependencies: ["numpy>=1"] }, "dependencies.0"],
		["a package twice", { name: "t", dependencies: ["a-b==1", "A_B==2"] }, "dependencies"],
		["an object as default", { name: "t", argument_defaults: { a: {} } }, "argument_defaults.a"],
	])("%s", (_, body, path) => {
		expect(faults(body)).toEqual([path]);
	});

	test("both a value and a secret, or neither, in a header", () => {
		for (const header of [{ name: "A" }, { name: "A", value: "1", secret_name: "B" }])
			expect(CreateTool.safeParse(request({ headers: [header] })).success).toBe(false);
	});
});

test.each([
	["an offset as timezone", { type: "current_datetime", timezone: "+02:00" }],
	["a timezone that is none", { type: "current_datetime", timezone: "Mars/Olympus" }],
	["a phone number without its plus", { type: "transfer_call", phone_number: "15551234567" }],
	["an address that is no SIP", { type: "transfer_call", sip_uri: "https://a.b" }],
	["a prompt of 501 characters", { type: "end_call", prompt: "a".repeat(501) }],
])("a configuration is refused for %s", (_, config) => {
	expect(ToolConfig.safeParse(config).success).toBe(false);
});

test("a phone number may be a template", () => {
	expect(ToolConfig.safeParse({ type: "transfer_call", phone_number: "{{$DESK}}" }).success).toBe(true);
});

test("a change never names a type", () => {
	expect(UpdateTool.safeParse({ tool_type: "code" }).success).toBe(false);
	expect(UpdateTool.parse({})).toEqual({});
});

test("a package's name is compared in its canonical form", () => {
	expect(packageName("Zope.Interface_x[a,b]==1.0")).toBe("zope-interface-x");
});
