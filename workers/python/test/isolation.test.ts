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
        "secrets": {k: v for k, v in os.environ.items()},
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

describe("runs share nothing", () => {
	test("two at once see their own secrets, files and modules only", async () => {
		const seen = (mark: string) =>
			output(SPY, { arguments: { mark }, secrets: { API_KEY: `key of ${mark}` } });
		const [a, b] = await Promise.all([seen("acme"), seen("umbrella")]);
		for (const [mark, result] of [
			["acme", a],
			["umbrella", b],
		]) {
			expect(result).toEqual({
				secrets: { API_KEY: `key of ${mark}`, PLANTED: mark },
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

	test("beyond the places of the worker a run is refused, and the next one works", async () => {
		const asleep = "import asyncio\nasync def handler():\n    await asyncio.sleep(1)\n    return 1";
		const results = await Promise.all(Array.from({ length: 7 }, () => run(asleep)));
		const statuses = results.map((result) => (result.error ? result.error.code : result.status));
		expect(statuses.filter((status) => status === "succeeded")).toHaveLength(4);
		expect(statuses.filter((status) => status === "SANDBOX_OVERLOADED")).toHaveLength(3);
		expect(await output("def handler(): return 1")).toBe(1);
	});
});
