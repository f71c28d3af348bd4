// `npm run demo:code`: a Python tool from its source to a published version, on a stack and a package index of its own.
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, startStack } from "@parley/dev-stack/stack";
import { startPackageIndex } from "../workers/python/test/package-index.ts";
import { expect, startWalk } from "./demo/walk.ts";

type Json = Record<string, unknown>;

const SECRET = "DEMO_TOKEN";
const value = `value-${randomBytes(16).toString("hex")}`;
const LIMIT_MS = 2000;

const SOURCE = `
import hashlib
import os
from dataclasses import dataclass
from typing import Annotated

from greetlib import greet


@dataclass
class Guest:
    name: str
    visits: int = 1


def handler(guest: Guest, title: Annotated[str, "How to address the guest"] = "dear") -> dict[str, str]:
    """Welcomes a guest."""
    token = os.environ["${SECRET}"]
    print(f"visit {guest.visits} of {guest.name}, token {token}")
    return {"text": greet(f"{title} {guest.name}"), "token_sha256": hashlib.sha256(token.encode()).hexdigest()}
`;
const BROKEN = `def handler(guest: str) -> str:\n    return guest + 1\n`;
const ENDLESS = `def handler():\n    print("spinning")\n    while True:\n        pass\n`;
const PINS = ["greetlib==1.2.0", "shoutlib==2.1.0"];

const state = mkdtempSync(join(tmpdir(), "parley-demo-code-"));
const index = await startPackageIndex();
console.log("Starting a stack of its own, with packages from an index on loopback …");
const stack = await startStack({
	state,
	port: await freePort(),
	settings: {
		PYTHON_INDEX: `${index.url}/simple/`,
		CODE_RUN_TIMEOUT_MS: String(LIMIT_MS),
		SPEECH_ENGINES: "[]",
	},
});
const { call, step, summary } = startWalk({ agents_url: stack.baseUrl, api_key: stack.keys.api_key }, [
	value,
]);

try {
	await walk();
	console.log(`\nDone: ${summary()}; the tool read the secret, and no answer shows it.`);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await stack.stop();
	await index.stop();
	rmSync(state, { recursive: true, force: true });
}

async function walk(): Promise<void> {
	await call("POST", "/secrets", { name: SECRET, kind: "secret", value }, 201);
	const body = {
		name: "welcome",
		code_src: SOURCE,
		declared_secrets: [SECRET],
		dependencies: PINS.slice(0, 1),
	};
	const tool = await call("POST", "/tools", body, 201);
	step(
		"A secret, and a tool that declares it",
		`${tool.name}, pinned: ${tool.dependencies}, of this source:\n\n${SOURCE.trim()}`,
	);
	const path = `/tools/${tool.id}`;

	const lacking = await call("POST", `${path}/introspect`);
	step("The build names the pin that is missing", describeBuild(lacking));

	await call("PATCH", path, { dependencies: PINS });
	const built = await call("POST", `${path}/introspect`);
	expect((built.build as Json).state === "built", `The build ended as ${JSON.stringify(built.build)}`);
	step("With both wheels it is built, and the arguments are read off the source", pretty(built.arg_schema));

	const guest = { name: "Ada", visits: 3 };
	const run = await call("POST", `${path}/run`, confirmed({ guest }));
	expectOutput(run, "HELLO DEAR ADA!");
	step(`A run takes ${run.latency_ms} ms`, `${pretty(run.output_json)}\nlogs: ${JSON.stringify(run.logs)}`);

	const published = await call("POST", `${path}/publish`);
	const version = await call("GET", `${path}/versions/${published.version_number}`);
	const wheels = (version.frozen_deps as Json[]).map(({ filename, sha256 }) => `${filename} ${sha256}`);
	step(`Version ${published.version_number} is published with its wheels`, wheels.join("\n"));

	await call("PATCH", path, { code_src: BROKEN, declared_secrets: [], dependencies: [] });
	const again = await call("POST", `${path}/versions/1/run`, confirmed({ guest, title: "old friend" }));
	expectOutput(again, "HELLO OLD FRIEND ADA!");
	step("The draft has changed; version 1 runs as it was", pretty(again.output_json));

	const mistyped = await call("POST", `${path}/versions/1/run`, confirmed({ guest: { name: 7 } }), 422);
	step("An argument of another type is refused, and nothing runs", pretty((mistyped.error as Json).fields));

	await call("POST", `${path}/introspect`);
	const failed = await call("POST", `${path}/run`, confirmed({ guest: "Ada" }));
	expect(failed.status === "failed", `The run ended as ${JSON.stringify(failed)}`);
	step("A type error in the tool is a result, with its own lines", String((failed.error as Json).message));

	await call("PATCH", path, { code_src: ENDLESS });
	await call("POST", `${path}/introspect`);
	const endless = await call("POST", `${path}/run`, confirmed({}));
	expect(endless.status === "timed_out", `The run ended as ${JSON.stringify(endless)}`);
	step(
		`An endless loop is ended after ${endless.latency_ms} ms, of a limit of ${LIMIT_MS}`,
		`${(endless.error as Json).message}\nlogs: ${JSON.stringify(endless.logs)}`,
	);

	const next = await call("POST", `${path}/versions/1/run`, confirmed({ guest }));
	expectOutput(next, "HELLO DEAR ADA!");
	step("The next run is none the worse for it", `${next.status} in ${next.latency_ms} ms`);
}

function confirmed(sample_input: Json): Json {
	return { sample_input, confirm_side_effects: true };
}

function expectOutput({ status, output_json, error }: Json, text: string): void {
	expect(status === "succeeded", `The run ended as ${status}: ${JSON.stringify(error)}`);
	const output = output_json as Json;
	expect(output.text === text, `The tool said ${output.text}`);
	const digest = createHash("sha256").update(value).digest("hex");
	expect(output.token_sha256 === digest, "The tool did not get the secret");
}

function describeBuild({ build }: Json): string {
	const { state, detail } = build as Json;
	return `${state}: ${detail}`;
}

function pretty(json: unknown): string {
	return JSON.stringify(json, null, 2);
}
