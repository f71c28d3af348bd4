import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A project elsewhere that has installed the package and two frameworks, but not the others. */
const project = mkdtempSync(join(tmpdir(), "parley-outside-"));
const packages = join(project, "node_modules");

beforeAll(() => {
	execFileSync(process.execPath, [join(root, "scripts/pack-sdk.ts"), project], { stdio: "pipe" });
	const [archive = ""] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
	const sdk = join(packages, "@parley/sdk");
	mkdirSync(sdk, { recursive: true });
	execFileSync("tar", ["xzf", join(project, archive), "-C", sdk, "--strip-components=1"]);
	symlinkSync(join(root, "packages/contracts/node_modules/zod"), join(packages, "zod"));
	for (const name of ["openai", "ai"]) symlinkSync(join(root, "node_modules", name), join(packages, name));
}, 60_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

const PROGRAM = `
import { aiTools } from "@parley/sdk/adapters/ai-sdk";
import { runResponsesCalls } from "@parley/sdk/adapters/openai";
import { createBatchClient } from "@parley/sdk/batch";
import { ParleyError } from "@parley/sdk/http";
import { createAgentRuntime, type Directive } from "@parley/sdk/runtime";

const runtime = createAgentRuntime({ baseUrl: "http://127.0.0.1:9", key: "parley_ag_x", agentId: "desk" });
export async function hear(): Promise<string | null> {
	const session = await runtime.session({ caller: { phone_number: "+14155550123" } });
	const { tools } = await session.tools("anthropic");
	const { directive } = await session.call(tools[0]?.name ?? "", {});
	const done: Directive | null = directive;
	// @ts-expect-error a session has no such method
	session.hangUp();
	return done?.type === "transfer_call" ? done.phone_number : null;
}
console.log([aiTools, runResponsesCalls, createBatchClient, ParleyError].map((value) => typeof value).join(" "));
`;

test("a program outside the repository loads the packed SDK, and its types hold", () => {
	writeFileSync(join(project, "desk.mts"), PROGRAM);
	const options = [
		"--strict",
		"--module",
		"nodenext",
		"--target",
		"es2024",
		"--lib",
		"es2024,esnext.disposable,dom",
	];
	const tsc = [join(root, "node_modules/.bin/tsc"), ...options, "--skipLibCheck", "--types", "", "desk.mts"];
	const [command = "", ...args] = tsc;
	execFileSync(command, args, { cwd: project, stdio: "inherit" });
	const output = execFileSync(process.execPath, ["desk.mjs"], { cwd: project, encoding: "utf8" });
	expect(output).toBe("function function function function\n");
}, 60_000);
