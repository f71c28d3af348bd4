// Runs the programs of the pages on frameworks as a reader would: saved as a file, with keys in the environment, against the real
// stack. The model is a script on loopback.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { voice as voiceTypes } from "@livekit/agents";
import { root } from "@parley/dev-stack/settings/configs";
import type { AgentSession, Directive } from "@parley/sdk/runtime";
import { startRealtimeModel } from "@parley/testing/model-peers/realtime-model";
import { type ModelMove, startScriptedModel } from "@parley/testing/model-peers/scripted-model";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { api, createAgent } from "../clients/agent.ts";
import { type File, parsePage } from "./parse-page.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-frameworks-"));
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
	symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
	const page = readFileSync(join(root, "docs/how-to/connect-a-voice-runtime.md"), "utf8");
	const desk = filesOf(page).find(({ name }) => name === "desk.json");
	const { id } = await createAgent({ ...JSON.parse(desk?.text ?? ""), name: `Desk ${Date.now()}` });
	const { key } = await api<{ key: string }>("POST", "/keys", {
		label: "Desk",
		family: "agent",
		agent_id: id,
	});
	environment = {
		...process.env,
		...{ PARLEY_URL: inject("baseUrl"), PARLEY_AGENT_ID: id, PARLEY_AGENT_KEY: key },
		...{ OPENAI_API_KEY: "none", OPENAI_AGENTS_DISABLE_TRACING: "1", NO_COLOR: "1" },
	};
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (page: string) => parsePage(page).steps.filter((step): step is File => step.kind === "file");

/** Saves the files of a page in a folder of their own. @returns that folder */
function saveFiles(framework: string): string {
	const place = join(folder, framework);
	mkdirSync(place, { recursive: true });
	const page = readFileSync(join(root, `docs/how-to/frameworks/${framework}.md`), "utf8");
	for (const { name, text } of filesOf(page)) writeFileSync(join(place, name), text);
	return place;
}

async function runNode(place: string, file: string, env: NodeJS.ProcessEnv): Promise<string> {
	const child = spawn(process.execPath, [join(place, file)], { env: { ...environment, ...env }, cwd: place });
	let output = "";
	for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
	const code = await new Promise((ended) => child.on("close", ended));
	expect(code, output).toBe(0);
	return output;
}

/** Asks for the caller's number, then hangs up, then says the number. */
const play = (outputs: string[]): ModelMove => {
	if (outputs.length === 0) return { calls: [{ name: "user_phone_number", arguments: {} }] };
	if (outputs.length === 1) return { calls: [{ name: "end_call", arguments: {} }] };
	return { text: `You call from ${/\+\d+/.exec(outputs.join(" "))?.[0]}` };
};

test.each([
	["openai", "responses.mjs"],
	["openai", "agents.mjs"],
	["vercel-ai-sdk", "desk.mjs"],
])("the program of the page %s, %s, answers with what its tools return", async (framework, file) => {
	const model = await startScriptedModel(({ messages }) =>
		play(messages.filter(({ role }) => role === "tool").map(({ text }) => text)),
	);
	try {
		const output = await runNode(saveFiles(framework), file, { OPENAI_BASE_URL: `${model.url}/v1` });
		expect(output).toBe("directive: end_call\nYou call from +14155550123\n");
		expect(model.faults).toEqual([]);
	} finally {
		await model.stop();
	}
});

test("the program of the page openai-realtime answers with what its tools return", async () => {
	const model = await startRealtimeModel(() => play(model.outputs));
	try {
		const place = saveFiles("openai-realtime");
		const env = { OPENAI_BASE_URL: `${model.url}/v1`, NODE_EXTRA_CA_CERTS: model.certificate };
		const output = await runNode(place, "realtime.mjs", env);
		expect(output).toBe("directive: end_call\nYou call from +14155550123\n");
	} finally {
		await model.stop();
	}
});

test("the agent of the page livekit-agents uses its tools in LiveKit's own session", async () => {
	const { inference, initializeLogger, voice } = await import("@livekit/agents");
	initializeLogger({ pretty: false, level: "silent" });
	const model = await startScriptedModel(({ messages }) =>
		play(messages.filter(({ role }) => role === "tool").map(({ text }) => text)),
	);
	const before = { ...process.env };
	Object.assign(process.env, environment);
	try {
		type Desk = {
			openDesk: (
				phone: string,
				onDirective: (directive: Directive) => void,
			) => Promise<{ agent: voiceTypes.Agent; session: AgentSession }>;
		};
		const file = join(saveFiles("livekit-agents"), "desk.mjs");
		const { openDesk } = (await import(pathToFileURL(file).href)) as Desk;
		const directives: string[] = [];
		const { agent, session } = await openDesk("+14155550123", ({ type }) => void directives.push(type));
		const llm = new inference.LLM({
			...{ model: "scripted", baseURL: `${model.url}/v1`, apiKey: "none", apiSecret: "none" },
		});
		const call = new voice.AgentSession({ llm });
		await call.start({ agent });
		const result = call.run({ userInput: "Which number am I calling from?" });
		await result.wait();
		const said = result.events.map((event) => (event.type === "message" ? event.item.textContent : ""));
		expect(said.join("")).toBe("You call from +14155550123");
		expect(directives).toEqual(["end_call"]);
		await call.close();
		await session.end();
	} finally {
		process.env = before;
		await model.stop();
	}
});

test("the tool of the page vapi is one that Vapi takes, and its headers open the agent's endpoint", async () => {
	const text = readFileSync(join(saveFiles("vapi"), "vapi-tool.json"), "utf8");
	const { PARLEY_URL = "", PARLEY_AGENT_ID = "", PARLEY_AGENT_KEY = "" } = environment;
	const filled = text
		.replace("https://parley.example", PARLEY_URL)
		.replace("PARLEY_AGENT_ID", PARLEY_AGENT_ID)
		.replace("PARLEY_AGENT_KEY", PARLEY_AGENT_KEY);
	const { type, server, metadata } = JSON.parse(filled);
	expect({ type, metadata }).toEqual({ type: "mcp", metadata: { protocol: "shttp" } });
	const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
	const client = new Client({ name: "vapi", version: "1.0.0" });
	const requestInit = { headers: server.headers };
	await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual(["user_phone_number", "current_datetime", "end_call"]);
	await client.close();
});
