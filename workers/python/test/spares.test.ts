import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { resolve, run } from "./client.ts";

const newOrganisation = () => ({ organisation_id: crypto.randomUUID() });

/** Says how long ago the tool was imported, and what a run before it left behind. */
const AGE = `
import os, sys, time
IMPORTED = time.time()
runs = 0

def handler(mark: str = ""):
    global runs
    runs += 1
    found = os.listdir("/tmp") + [m for m in sys.modules if m.startswith("planted")]
    open("/tmp/" + mark, "w").close() if mark else None
    sys.modules["planted" + mark] = 1
    return {"age": time.time() - IMPORTED, "runs": runs, "found": found}
`;
type Aged = { age: number; runs: number; found: string[] };

async function aged(more: Parameters<typeof run>[1], source = AGE): Promise<Aged> {
	const result = await run(source, more);
	if (result.status !== "succeeded") throw new Error(JSON.stringify(result.error));
	return result.output as Aged;
}

/** Calls a tool until a spare interpreter has answered, which was started some time before. */
async function untilSpare(call: () => Promise<Aged>): Promise<Aged> {
	for (let tries = 0; tries < 20; tries++) {
		await sleep(1_000);
		const answer = await call();
		if (answer.age > 0.3) return answer;
	}
	throw new Error("No spare interpreter has answered");
}

test("a spare interpreter runs one call, and finds nothing of the calls before it", async () => {
	const organisation = newOrganisation();
	const source = `print("imported")\n${AGE}`;
	expect((await aged(organisation, source)).age).toBeLessThan(0.3);
	for (const mark of ["a", "b"])
		expect(await untilSpare(() => aged({ ...organisation, arguments: { mark } }, source))).toMatchObject({
			...{ runs: 1, found: [] },
		});
	const together = await Promise.all([run(source, organisation), run(source, organisation)]);
	for (const { status, ...answer } of together) {
		expect([status, answer]).toMatchObject(["succeeded", { output: { runs: 1, found: [] } }]);
		// What the tool prints while it is imported is in the log of its call.
		expect(answer).toMatchObject({ logs: ["imported"] });
	}
	const others = [newOrganisation(), {}];
	for (const other of others) expect((await aged(other, source)).age).toBeLessThan(0.3);
	expect((await aged(organisation, `${source}\n`)).age).toBeLessThan(0.3);
});

test("a tool with secrets is imported by its call, with the secrets of that call", async () => {
	const source = `
import os
KEY = os.environ["API_KEY"]
def handler():
    return {"key": KEY[::-1], "names": list(os.environ)}`;
	const organisation = newOrganisation();
	for (const value of ["first value", "second value"]) {
		const result = await run(source, { ...organisation, secrets: { API_KEY: value } });
		const key = [...value].reverse().join("");
		expect(result).toMatchObject({ status: "succeeded", output: { key, names: ["API_KEY"] } });
		await sleep(1_000);
	}
});

test("work that a tool plans for later does not run while it waits for its call", async () => {
	const organisation = newOrganisation();
	const source = AGE.replace(
		"runs = 0",
		`runs = 0
import asyncio
def spin():
    while True: pass
asyncio.get_event_loop().call_later(0.4, spin)`,
	);
	await aged(organisation, source);
	await sleep(1_500);
	const started = performance.now();
	await resolve([]);
	expect(performance.now() - started).toBeLessThan(1_500);
	// The interpreter that did not keep still is not used.
	expect(await aged(organisation, source)).toMatchObject({ runs: 1, found: [] });
});

test.each([
	["raises", "raise ValueError('at import')", "EXCEPTION"],
	["exits", "import sys\nsys.exit(3)", "EXITED"],
])("a tool that %s while it is imported answers as without spares", async (_, statement, code) => {
	const organisation = newOrganisation();
	const source = `${statement}\ndef handler(): pass`;
	for (const _ of [1, 2]) {
		const result = await run(source, organisation);
		expect(result).toMatchObject({ status: "failed", error: { code } });
		await sleep(300);
	}
});

test("a call in a spare interpreter ends at its own time limit, and spares give way to runs", async () => {
	const organisation = newOrganisation();
	const source = AGE.replace("    runs += 1", "    runs += 1\n    while mark: pass");
	await untilSpare(() => aged(organisation, source));
	await sleep(1_000);
	const spinning = await run(source, { ...organisation, arguments: { mark: "x" }, timeout_ms: 1_000 });
	expect(spinning).toMatchObject({ status: "timed_out", error: { code: "TIMED_OUT" } });
	expect(await untilSpare(() => aged(organisation, source))).toMatchObject({ runs: 1 });
	await sleep(1_000);
	// The worker has four places, one of which the spare holds now.
	const asleep = "import asyncio\nasync def handler():\n    await asyncio.sleep(2)\n    return 1";
	const results = await Promise.all(Array.from({ length: 4 }, () => run(asleep)));
	expect(results.map(({ status }) => status)).toEqual(Array(4).fill("succeeded"));
});
