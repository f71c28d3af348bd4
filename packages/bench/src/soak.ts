// Memory of the whole local stack under a long run of mixed requests: valid, invalid and without a key.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, type Stack, startStack } from "@parley/dev-stack/stack";
import { processMemory } from "./process-memory.ts";

const REQUESTS = Number(process.env.SOAK_REQUESTS ?? 100_000);
const REPORT_EVERY = 5_000;
const CONNECTIONS = 16;
const SEED = 20_261_122;

type Call = { method: string; path: string; headers?: Record<string, string>; body?: string };
type Operation = { method: string; path: string };
type Random = (below: number) => number;

/** Sends the requests and prints the resident memory of each process of the stack after every 5,000. */
export async function benchSoak(): Promise<void> {
	const state = mkdtempSync(join(tmpdir(), "parley-soak-"));
	const stack = await startStack({
		state,
		port: await freePort(),
		settings: { RATE_LIMIT_SCALE: "1000000" },
	});
	try {
		console.log(`\nSoak: ${REQUESTS} requests, ${CONNECTIONS} connections; resident megabytes`);
		await soak(stack);
	} finally {
		await stack.stop();
		rmSync(state, { recursive: true, force: true });
	}
}

async function soak(stack: Stack): Promise<void> {
	const nextCall = await createMix(stack);
	const statuses = new Map<number, number>();
	report(0, 0);
	for (let sent = 0; sent < REQUESTS; sent += REPORT_EVERY) {
		const startedAt = Date.now();
		let left = Math.min(REPORT_EVERY, REQUESTS - sent);
		const connection = async () => {
			while (left-- > 0) {
				const status = await send(stack.baseUrl, nextCall());
				statuses.set(status, (statuses.get(status) ?? 0) + 1);
			}
		};
		await Promise.all(Array.from({ length: CONNECTIONS }, connection));
		report(sent + REPORT_EVERY, (Date.now() - startedAt) / 1000);
	}
	const counted = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
	console.log(`Answers by status: ${counted.join(", ")}`);
	const unexpected = [...statuses.keys()].filter((status) => status === 429 || status === 500);
	if (unexpected.length > 0) throw new Error(`The stack answered ${unexpected.join(" and ")}.`);
}

function report(requests: number, seconds: number): void {
	const memory = processMemory().map(({ name, megabytes }) => `${name} ${megabytes.toFixed(0)}`);
	const rate = seconds > 0 ? `${Math.round(REPORT_EVERY / seconds)} req/s` : "";
	console.log(`${String(requests).padStart(7)}  ${rate.padStart(10)}  ${memory.join("  ")}`);
}

async function send(baseUrl: string, { method, path, headers, body }: Call): Promise<number> {
	const response = await fetch(baseUrl + path, { method, headers, ...(body !== undefined && { body }) });
	await response.arrayBuffer();
	return response.status;
}

/** Returns a function that makes one call after another: each operation of the API with what may go wrong, and valid calls. */
async function createMix({ baseUrl, keys }: Stack): Promise<() => Call> {
	const operations = await readOperations(baseUrl);
	const random = createRandom(SEED);
	const valid = validCalls(random);
	const credentials = [
		{ authorization: `Bearer ${keys.api_key}` },
		{ authorization: `Bearer ${keys.api_key}` },
		{ authorization: `Bearer ${keys.batch_key}` },
		{ "x-api-key": keys.batch_key },
	];
	return () => {
		const credential = pick(random, credentials);
		const call = random(3) === 0 ? pick(random, valid)() : invalidCall(random, pick(random, operations));
		const kind = random(20);
		const authorization =
			kind === 0 ? {} : kind === 1 ? { authorization: `Bearer parley_cu_${word(random)}` } : credential;
		return { ...call, headers: { ...authorization, ...call.headers } };
	};
}

async function readOperations(baseUrl: string): Promise<Operation[]> {
	const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
		paths: Record<string, object>;
	};
	return Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
	);
}

const json = { "content-type": "application/json" };

const validCalls = (random: Random): (() => Call)[] => [
	() => ({ method: "GET", path: "/v1/me" }),
	() => ({ method: "GET", path: "/v1/catalog/models" }),
	() => ({ method: "GET", path: `/v1/agents/tools?limit=${1 + random(100)}` }),
	() => ({ method: "GET", path: "/v1/agents/mcp-servers" }),
	() => ({ method: "GET", path: "/v1/batch/jobs" }),
	() => ({
		method: "POST",
		path: "/v1/batch/jobs",
		headers: json,
		body: JSON.stringify({ mode: "presign" }),
	}),
	() => ({
		method: "POST",
		path: "/v1/agents/tools",
		headers: { ...json, "idempotency-key": randomUUID() },
		body: JSON.stringify({
			name: `soak-${randomUUID()}`,
			tool_type: "api_request",
			config: {
				type: "api_request",
				url: "https://api.example/weather",
				parameters: {
					type: "object",
					properties: { [word(random)]: { type: "string", pattern: "^[a-z]+$" } },
				},
			},
		}),
	}),
];

function invalidCall(random: Random, { method, path }: Operation): Call {
	const filled = path.replace(/\{\w+\}/g, () => pick(random, [randomUUID(), word(random), "%00", "1"]));
	const query = random(4) === 0 ? `?${word(random)}=${word(random)}&limit=${random(100_000)}` : "";
	if (method === "GET") return { method, path: filled + query };
	const body = pick(random, [
		"",
		"{",
		"{}",
		"[]",
		"null",
		JSON.stringify({ [word(random)]: word(random), name: random(10), config: { type: word(random) } }),
		JSON.stringify({ name: word(random), value: word(random).repeat(1000) }),
		`{"a":${"[".repeat(200)}`,
	]);
	const type = pick(random, [
		"application/json",
		"application/json",
		"application/json",
		"text/plain",
		"multipart/form-data; boundary=x",
	]);
	return { method, path: filled + query, headers: { "content-type": type }, body };
}

const word = (random: Random): string =>
	Array.from({ length: 1 + random(12) }, () => String.fromCharCode(97 + random(26))).join("");

const pick = <T>(random: Random, list: readonly [T, ...T[]] | T[]): T => list[random(list.length)] as T;

/** A generator of whole numbers that gives the same ones for the same seed. */
function createRandom(seed: number): Random {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}
