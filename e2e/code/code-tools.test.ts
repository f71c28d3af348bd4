import { QUOTE_ARGUMENTS } from "@parley/contracts/agents/tool-examples";
import type { RunResult } from "@parley/contracts/agents/tool-runs";
import type { Tool } from "@parley/contracts/agents/tools";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Answer, type Client, clientOf, newOrganisation } from "./code-client.ts";

let client: Client;
beforeAll(() => {
	client = clientOf(inject("keys").api_key);
});

const PINS = ["greetlib==1.2.0", "shoutlib==2.1.0"];
const GREETING = `
from dataclasses import dataclass
from typing import Annotated
from greetlib import greet

@dataclass
class Person:
    name: str
    age: int = 3

def handler(person: Person, times: Annotated[int, "How often"] = 1) -> dict[str, str]:
    """Greets somebody."""
    print("greeting", person.name)
    return {"text": " ".join([greet(person.name)] * times)}
`;

type Shown = { content: { "application/json": { example: object } } };
type Reference = {
	paths: Record<string, { post: { requestBody: Shown; responses: Record<number, Shown> } }>;
};

test("what the reference shows of code can be sent as it stands, and answers as it is shown to", async () => {
	const { call, settled } = client;
	const { paths } = (await (await fetch(`${inject("baseUrl")}/openapi.json`)).json()) as Reference;
	const exampleOf = (body?: Shown) => body?.content["application/json"].example;
	const creating = exampleOf(paths["/v1/agents/tools"]?.post.requestBody);
	const running = paths["/v1/agents/tools/{tool_id}/run"]?.post;

	const tool = await settled((await call<Tool>("POST", "/tools", creating)).body);
	const run = await call<RunResult>("POST", `/tools/${tool.id}/run`, exampleOf(running?.requestBody));
	const shown = exampleOf(running?.responses[200]) as RunResult;
	const { output_json, logs, validation, proven_hash } = shown;
	expect(run.body).toMatchObject({ status: "succeeded", output_json, logs, validation, proven_hash });
	expect(tool.arg_schema).toEqual(QUOTE_ARGUMENTS);
});

describe("a tool from its source to a published version", () => {
	test("is built with its wheels, run, published, and run as it was published", async () => {
		const { call, built, run } = client;
		const tool = await built(GREETING, { dependencies: PINS });
		expect(tool.arg_schema).toMatchObject({
			properties: { times: { type: "integer", description: "How often", default: 1 } },
			$defs: { Person: { properties: { age: { type: "integer" } }, required: ["name"] } },
		});
		const first = await run(tool, { person: { name: "Ada" }, times: 2 });
		expect(first.body).toMatchObject({
			...{ status: "succeeded", output_json: { text: "HELLO ADA! HELLO ADA!" }, logs: ["greeting Ada"] },
			...{ validation: "valid", proven_hash: tool.content_hash },
		});
		const published = await call("POST", `/tools/${tool.id}/publish`);
		expect([published.status, published.body.version_number]).toEqual([200, 1]);
		const version = await call<{ frozen_deps: { name: string }[] }>("GET", `/tools/${tool.id}/versions/1`);
		expect(version.body.frozen_deps.map(({ name }) => name)).toEqual(["greetlib", "shoutlib"]);
		await call("PATCH", `/tools/${tool.id}`, { code_src: "def handler(): ...", dependencies: [] });
		const again = await run(tool, { person: { name: "Bob" } }, 1);
		expect(again.body).toMatchObject({ status: "succeeded", output_json: { text: "HELLO BOB!" } });
	});

	test("is told by name which pin it lacks, and which one would do", async () => {
		const tool = await client.settled(await client.createTool(GREETING, { dependencies: PINS.slice(0, 1) }));
		const detail = "greetlib==1.2.0 also needs shoutlib>=2,<3: pin shoutlib==2.1.0";
		expect(tool.build).toMatchObject({ state: "failed", detail });
		expect(tool.gate_status.code_environment).toEqual({ passed: false, detail });
	});

	test("refuses arguments of another type, and nothing runs", async () => {
		const tool = await client.built(GREETING, { dependencies: PINS });
		const { status, body } = await client.run(tool, { person: { name: "Ada", age: "old" }, other: 1 });
		expect([status, body.error.fields?.map(({ path }) => path).toSorted()]).toEqual([
			422,
			["sample_input.other", "sample_input.person.age"],
		]);
		const runs = await client.call<{ items: unknown[] }>("GET", `/tools/${tool.id}/runs`);
		expect(runs.body.items).toEqual([]);
	});

	test.each([
		["a syntax error", "def handler(:\n    pass", "parse", "SyntaxError"],
		["no function", "VALUE = 1", "parse", "function"],
		["two functions and no handler", "def a(): ...\ndef b(): ...", "parse", "a, b"],
		["arguments without names", "def handler(*args): ...", "schema", "args"],
	])("with %s says so at its gate", async (_, source, gate, words) => {
		const { build, gate_status } = await client.settled(await client.createTool(source));
		expect(build?.state).toBe("failed");
		expect(gate_status.static?.[gate as "parse" | "schema"]).toMatchObject({
			...{ passed: false, detail: expect.stringContaining(words) },
		});
	});

	test("source of a megabyte, or that is not text, is rejected", async () => {
		const huge = { name: "huge", code_src: `# ${"x".repeat(1024 * 1024)}\ndef handler(): ...` };
		expect((await client.call("POST", "/tools", huge)).status).toBe(413);
		const half = { name: "half", code_src: 'def handler():\n    return "\ud800"' };
		expect((await client.call("POST", "/tools", half)).status).toBe(422);
	});
});

describe("secrets", () => {
	const SPY = `
import os
def handler(note: str = ""):
    for name, value in os.environ.items():
        print(name, "=", value)
    if note == "raise": raise ValueError(os.environ["CODE_TOKEN"])
    return {"all": dict(os.environ), "note": note, os.environ["CODE_TOKEN"]: [os.environ["CODE_TOKEN"]]}
`;
	const VALUE = `s3cr3t-${crypto.randomUUID()}`;

	test("are what the tool declares and nothing else, and come back in no answer", async () => {
		const { call, built, run } = client;
		for (const [name, value] of [
			["CODE_TOKEN", VALUE],
			["CODE_OTHER", `other-${VALUE}`],
		])
			expect((await call("POST", "/secrets", { name, value, kind: "secret" })).status).toBe(201);
		const rest = { declared_secrets: ["CODE_TOKEN"], argument_defaults: { note: "{{$CODE_OTHER}}" } };
		const tool = await built(SPY, rest);
		const answers: Answer<RunResult>[] = [await run(tool), await run(tool, { note: "raise" })];
		const output = answers[0]?.body.output_json as { all: Record<string, string> };
		expect(output).toMatchObject({ all: { CODE_TOKEN: "[redacted]" }, "[redacted]": ["[redacted]"] });
		expect(Object.keys(output.all)).not.toContain("CODE_OTHER");
		expect(answers[1]?.body.error?.message).toMatch(/^ValueError: \[redacted\]/);
		const history = await call("GET", `/tools/${tool.id}/runs`);
		const seen = JSON.stringify([answers.map(({ body }) => body), history.body, tool]);
		expect(seen).not.toContain(VALUE);
		expect(answers[0]?.body.logs).toContain("CODE_TOKEN = [redacted]");
	});

	test("files and modules of two organisations at once stay apart", async () => {
		const source = `
import asyncio, json, os, sys
async def handler(mine: str, rounds: int = 4):
    seen = set()
    for _ in range(rounds):
        for path in ("/tmp/left", "/home/pyodide/left"):
            if os.path.exists(path): seen.add(open(path).read())
            open(path, "w").write(mine)
        seen.add(getattr(json, "left", mine))
        json.left = mine
        sys.modules.setdefault("left_module", mine)
        seen.add(sys.modules["left_module"])
        await asyncio.sleep(0.2)
    return {"seen": sorted(seen), "secret_is_mine": os.environ["CODE_SHARED"] == "value-of-" + mine}
`;
		const clients = [await newOrganisation(), await newOrganisation()];
		const outputs = await Promise.all(
			clients.map(async ({ call, built, run }, i) => {
				const mine = `organisation-${i}`;
				await call("POST", "/secrets", { name: "CODE_SHARED", value: `value-of-${mine}`, kind: "secret" });
				const tool = await built(source, { declared_secrets: ["CODE_SHARED"] });
				const runs = await Promise.all([run(tool, { mine }), run(tool, { mine })]);
				return runs.map(({ body }) => body.output_json);
			}),
		);
		const apart = (i: number) => ({ seen: [`organisation-${i}`], secret_is_mine: true });
		expect(outputs).toEqual([0, 1].map((i) => [apart(i), apart(i)]));
	});
});

test("a long build goes on in the background, and upgrades wait for it", async () => {
	const { call, built, run, introspect } = client;
	await call("POST", "/secrets", { name: "CODE_SLOW", value: "slow-only-while-building", kind: "secret" });
	// While it is built a tool finds no real secret.
	const slow = (answer: number) => `
import os, time
if os.environ["CODE_SLOW"] != "slow-only-while-building" and ${answer} == 2: time.sleep(4)
def handler() -> int:
    return ${answer}
`;
	const tool = await built(slow(1), { declared_secrets: ["CODE_SLOW"] });
	const publish = async () => {
		expect((await run(tool)).body.status).toBe("succeeded");
		return (await call("POST", `/tools/${tool.id}/publish`)).body.version_number;
	};
	expect(await publish()).toBe(1);
	await call("PATCH", `/tools/${tool.id}`, { code_src: slow(2) });
	const isBuilt = async () => {
		const { body } = await call<Tool>("GET", `/tools/${tool.id}`);
		return body.build?.state;
	};
	expect((await introspect(tool)).build?.state).toBe("building");
	expect((await run(tool)).body.error).toMatchObject({ code: "TOOL_NOT_BUILT" });
	await expect.poll(isBuilt, { timeout: 30_000, interval: 250 }).toBe("built");
	expect(await publish()).toBe(2);

	const attachment_id = crypto.randomUUID();
	const tool_refs = [{ attachment_id, tool_id: tool.id, version: 1 }];
	const agent = await call("POST", "", { name: `agent-${attachment_id}`, tool_refs });
	const preview = () =>
		call("POST", `/tools/agents/${agent.body.id}/attachments/${attachment_id}/upgrade-preview/2`);
	expect((await introspect(tool)).build?.state).toBe("building");
	const waiting = await preview();
	expect([waiting.status, waiting.body.preparation_state]).toEqual([202, "preparing"]);
	expect(Number(waiting.headers.get("retry-after"))).toBe(waiting.body.retry_after_seconds);
	await expect.poll(isBuilt, { timeout: 30_000, interval: 250 }).toBe("built");
	expect((await preview()).body).toMatchObject({ preparation_state: "ready", can_accept: true });
});
