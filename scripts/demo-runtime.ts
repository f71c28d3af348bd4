// `npm run demo:runtime`: a phone call in text against the running stack (`npm start`), with an upgrade in the middle of it.
// LLM_BASE_URL names a real model, with LLM_MODEL and LLM_API_KEY. --speech speaks the caller's lines.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ToolCall } from "@parley/contracts/agents/tool-calls";
import { root } from "@parley/dev-stack/settings/configs";
import { type AgentSession, createAgentRuntime } from "@parley/sdk/runtime";
import { startBakeryModel } from "./demo/bakery/model.ts";
import { CALLER, startOrders } from "./demo/bakery/orders.ts";
import { type Llm, type Seen, startPhoneCall } from "./demo/bakery/phone-call.ts";
import { fact, line, pairs, table, title, toolLine } from "./demo/bakery/print.ts";
import { recognise } from "./demo/bakery/speech.ts";
import { type Bakery, openBakery } from "./demo/bakery/team.ts";
import { expect, startWalk } from "./demo/walk.ts";

const LINES = [
	{ text: "Good morning. I want to know where my order is.", recording: "call-1.wav" },
	{ text: "Can you bring it on Tuesday, please?", recording: "call-2.wav" },
	{ text: "That is all I need. Goodbye.", recording: "call-3.wav" },
];
const SPEECH_MODEL = "parley/pocketsphinx-en-us";

const devFile = join(resolve(process.env.PARLEY_STATE || join(root, ".parley")), "dev.json");
if (!existsSync(devFile)) {
	console.error(`There is no ${devFile}: start the stack with npm start first`);
	process.exit(1);
}
const isSpoken = process.argv.includes("--speech");
const dev = JSON.parse(readFileSync(devFile, "utf8")) as { agents_url: string; api_key: string };
const token = `bakery-${randomBytes(16).toString("hex")}`;
const { call, answers } = startWalk(dev, [token]);
const orders = await startOrders(token);
const scripted = process.env.LLM_BASE_URL ? undefined : await startBakeryModel();
const llm: Llm = {
	baseURL: process.env.LLM_BASE_URL || `${scripted?.url}/v1`,
	apiKey: process.env.LLM_API_KEY || "none",
	model: process.env.LLM_MODEL || (scripted ? "scripted" : "gpt-5-mini"),
};

let bakery: Bakery | undefined;
try {
	bakery = await openBakery(call, orders.url, token);
	await walk(bakery);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await bakery?.cleanUp();
	await scripted?.stop();
	await orders.stop();
}

async function walk({ agentId, agentKey, toolNames, upgrade }: Bakery): Promise<void> {
	title("Miller's Bakery: a phone call in text");
	fact(`The agent has ${toolNames.length} tools`, toolNames.join(", "));
	fact("The telephone has a key of its own, which can use these tools and nothing else", mask(agentKey));
	fact("It calls tools over MCP", `${dev.agents_url}/v1/agents/${agentId}/mcp`);
	fact(`The model is ${scripted ? "a script on loopback" : `${llm.model} at ${llm.baseURL}`}`);
	if (isSpoken) fact(`The caller speaks; ${SPEECH_MODEL} listens`);

	const runtime = createAgentRuntime({ baseUrl: dev.agents_url, key: agentKey, agentId });
	const record = await call("POST", `/${agentId}/calls`, { direction: "inbound", from_number: CALLER }, 201);
	const session = await runtime.session({ caller: { phone_number: CALLER }, callId: String(record.id) });
	title("The call", `agent version ${session.agent_version}`);
	const startedAt = Date.parse(String(record.created_at));
	await report(agentId, record.id, "in_progress");
	await talk(session, startedAt, upgrade);
	await report(agentId, record.id, "completed", "end_call");

	title("What Parley recorded");
	await printTimeline(agentId, String(record.id));
	await session.end();

	const next = await runtime.session({ caller: { phone_number: CALLER } });
	title("The next call", `agent version ${next.agent_version}`);
	await callAgain(next);
	await next.end();
	expect(next.agent_version > session.agent_version, "The next session did not get the new version");
	console.log(
		`\nDone. The live call kept version ${session.agent_version}, the next one got ${next.agent_version}, and the bakery's token is in none of ${answers()} answers.`,
	);
}

type Upgrade = Bakery["upgrade"];

/** Holds the whole call. After the first answer the team upgrades the agent. */
async function talk(session: AgentSession, startedAt: number, upgrade: Upgrade): Promise<void> {
	const seconds = () => (Date.now() - startedAt) / 1000;
	const phone = await startPhoneCall(session, llm);
	line(seconds(), "agent", session.greeting);
	let hasEnded = false;
	for (const [index, { text, recording }] of LINES.entries()) {
		const said = isSpoken ? await listen(recording) : text;
		line(seconds(), "caller", said);
		const { answer, directive } = await phone.hear(said, (seen) => showTool(seconds(), seen));
		line(seconds(), "agent", answer);
		if (directive?.type === "end_call") {
			line(seconds(), "runtime", "hangs up: the directive was end_call");
			hasEnded = true;
			break;
		}
		if (index > 0) continue;
		const { tool, agent } = await upgrade();
		line(
			seconds(),
			"team",
			`publishes find_order version ${tool} and accepts the upgrade: agent version ${agent}`,
		);
		const { agent_version } = await session.tools("openai");
		expect(agent_version === session.agent_version, "The live session did not keep its version");
		line(seconds(), "runtime", `stays on agent version ${agent_version} until this call ends`);
	}
	if (!hasEnded) line(seconds(), "runtime", "hangs up: the caller has nothing more to say");
	expect(hasEnded || !scripted, "The call did not end with a directive");
	await phone.hangUp();
}

async function callAgain(session: AgentSession): Promise<void> {
	const startedAt = Date.now();
	const seconds = () => (Date.now() - startedAt) / 1000;
	const phone = await startPhoneCall(session, llm);
	const said = LINES[0]?.text ?? "";
	line(seconds(), "caller", said);
	const { answer } = await phone.hear(said, (seen) => showTool(seconds(), seen));
	line(seconds(), "agent", answer);
	await phone.hangUp();
}

function listen(recording: string): Promise<string> {
	return recognise({ baseUrl: dev.agents_url, key: dev.api_key, model: SPEECH_MODEL }, recording);
}

function report(agentId: string, callId: unknown, status: string, reason?: string) {
	return call("PATCH", `/${agentId}/calls/${callId}`, { status, ...(reason !== undefined && { reason }) });
}

async function printTimeline(agentId: string, callId: string): Promise<void> {
	const record = await call("GET", `/${agentId}/calls/${callId}`);
	const { items } = await call("GET", `/${agentId}/tool-calls?call_id=${callId}`);
	const start = Date.parse(String(record.created_at));
	const rows = (items as ToolCall[])
		.toReversed()
		.map((item) => [
			`+${((Date.parse(item.created_at) - start) / 1000).toFixed(2)} s`,
			item.name,
			item.version === null ? "" : `v${item.version}`,
			item.status,
			`${item.latency_ms} ms`,
			pairs(item.directive ?? item.output),
		]);
	expect(rows.length > 0, "No tool call was recorded");
	table(["when", "tool", "version", "status", "took", "result"], rows);
	fact(`The call from ${record.from_number} is ${record.status}: ${record.reason}`);
}

function showTool(seconds: number, { text, directive, ...seen }: Seen): void {
	expect(!text.includes(token), `${seen.name} shows the token`);
	toolLine(seconds, { ...seen, result: directive ? { directive: directive.type } : parse(text) });
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text.replaceAll(/\s+/g, " ");
	}
}

function mask(key: string): string {
	return `${key.slice(0, 10)}…${key.slice(-4)}`;
}
