import { describe, expect, test } from "vitest";
import { output, run } from "./client.ts";

const SPY = `
import asyncio, os, sys, pathlib, tempfile

async def handler(mark: str):
    pathlib.Path("/tmp/mine").write_text(mark)
    pathlib.Path("mine").write_text(mark)
    sys.modules["planted"] = mark
    os.environ["PLANTED"] = mark
    await asyncio.sleep(0.3)
    return {
        "secrets": {k: v[::-1] for k, v in os.environ.items()},
        "file": pathlib.Path("/tmp/mine").read_text() + pathlib.Path("mine").read_text(),
        "files": sorted(os.listdir("/tmp")) + sorted(os.listdir(".")),
        "module": sys.modules["planted"],
    }
`;
const LOOK = `
import os, sys

def handler():
    return {"env": dict(os.environ), "tmp": os.listdir("/tmp"), "home": os.listdir("."), "planted": "planted" in sys.modules, "root": sorted(os.listdir("/"))}
`;

// What a tool gives back is scrubbed of its secrets as they are.
const backwards = (text: string) => [...text].reverse().join("");

describe("runs share nothing", () => {
	test("two at once see their own secrets, files and modules only", async () => {
		const seen = (mark: string) =>
			output(SPY, { arguments: { mark }, secrets: { API_KEY: `key of ${mark}` } });
		const [a, b] = await Promise.all([seen("acme"), seen("umbrella")]);
		for (const { mark, result } of [
			{ mark: "acme", result: a },
			{ mark: "umbrella", result: b },
		]) {
			expect(result).toEqual({
				secrets: { API_KEY: backwards(`key of ${mark}`), PLANTED: backwards(mark) },
				file: `${mark}${mark}`,
				files: ["mine", "mine"],
				module: mark,
			});
		}
	});

	test("a run finds nothing of those before it, and no environment but its secrets", async () => {
		await output(SPY, { arguments: { mark: "left" }, secrets: { API_KEY: "x" } });
		expect(await output(LOOK)).toEqual({
			env: {},
			tmp: [],
			home: [],
			planted: false,
			root: ["dev", "home", "lib", "proc", "tmp"],
		});
	});

	test("randomness differs", async () => {
		const source =
			"import random, os\ndef handler():\n    return [random.random(), os.urandom(8).hex(), hash('x')]";
		const [a, b] = (await Promise.all([output(source), output(source)])) as [unknown[], unknown[]];
		for (const i of [0, 1, 2]) expect(a[i]).not.toEqual(b[i]);
	});

	test("a secret that no environment can hold fails by name", async () => {
		const result = await run("def handler(): pass", { secrets: { API_KEY: "a\0b" } });
		expect(result).toMatchObject({ status: "failed", error: { code: "SECRET_UNUSABLE" } });
		expect(result.error?.message).toContain("API_KEY");
		expect(result.error?.message).not.toContain("a\0b");
	});

	test("beyond the places of the worker runs are refused, and later ones work", async () => {
		const asleep = "import asyncio\nasync def handler():\n    await asyncio.sleep(2)\n    return 1";
		const results = await Promise.all(Array.from({ length: 10 }, () => run(asleep)));
		const ends = results.map((result) => result.error?.code ?? result.status);
		expect(new Set(ends)).toEqual(new Set(["succeeded", "SANDBOX_OVERLOADED"]));
		expect(await output("def handler(): return 1")).toBe(1);
	});
});

describe("values of secrets are scrubbed", () => {
	const secret = "s3cr3t-Value";
	const secrets = { API_KEY: secret };

	test("from output, logs and tracebacks, in any form", async () => {
		const source = `import base64, os
KEY = os.environ["API_KEY"]
def handler(fail: bool):
    print("key", KEY, base64.b64encode(KEY.encode()).decode())
    if fail:
        raise ValueError(f"bad key {KEY}")
    return {KEY: [KEY], "length": len(KEY)}`;
		const good = await run(source, { secrets, arguments: { fail: false } });
		expect(good).toMatchObject({
			output: { "[redacted]": ["[redacted]"], length: secret.length },
			logs: [expect.stringMatching(/^key \[redacted\] \S*\[redacted\]\S*$/)],
		});
		const bad = await run(source, { secrets, arguments: { fail: true } });
		expect(bad.error?.message).toBe("ValueError: bad key [redacted]");
		expect(JSON.stringify([good, bad])).not.toContain(secret);
	});

	test("also where the cut of a flood would halve them", async () => {
		const source =
			"import os\nKEY = os.environ['API_KEY']\ndef handler():\n    print('x' * (64 * 1024 - 5) + KEY)\n    raise ValueError('y' * 3985 + KEY)";
		const result = await run(source, { secrets });
		expect(result).toMatchObject({ status: "failed", logs_truncated: true });
		expect(JSON.stringify(result)).not.toContain(secret.slice(0, 4));
	});

	const long = `t0ken-${"0123456789".repeat(8)}`;
	test.each([
		["a log of nothing else", "print(KEY * 3000)"],
		["a message of nothing else", "raise ValueError(KEY * 3000)"],
		["a line of a traceback", "raise ValueError('y' * 3965 + KEY)"],
		["a traceback that keeps its end", "raise ValueError(KEY + '\\n' + ('y' * 3000 + '\\n') * 16)"],
		["a reason to exit", "sys.exit('y' * 60 + KEY)"],
		["a place in a result", "return {'y' * 150 + KEY: object()}"],
		["a quoted value", "raise ValueError(['y' * 31_950 + KEY + chr(92)])"],
	])("and in %s", async (_, body) => {
		const source = `import os, sys\nKEY = os.environ["API_KEY"]\ndef handler():\n    ${body}`;
		const result = await run(source, { secrets: { API_KEY: long } });
		expect(JSON.stringify(result)).not.toContain(long.slice(0, 7));
	});
	test("and in a refused argument", async () => {
		const source = `def handler(a: bytes): pass`;
		const result = await run(source, {
			secrets: { OTHER: "unrelated" },
			arguments: { a: `!${long}${long}` },
		});
		expect(result).toMatchObject({ status: "refused", error: { code: "INVALID_ARGUMENTS" } });
		expect(JSON.stringify(result)).not.toContain(long.slice(0, 7));
	});
});
