import { describe, expect, inject, test } from "vitest";
import { build, resolve, run } from "./client.ts";

const GREET =
	"from greetlib import greet\nimport importlib.metadata\n\ndef handler(name: str) -> str:\n    return greet(name) + importlib.metadata.version('greetlib')";

/** Returns the requests to the index since the last call. */
const seen = async (): Promise<string[]> =>
	(await (await fetch(`${inject("indexUrl")}/seen`)).json()) as string[];

async function faultsOf(dependencies: string[]) {
	const result = await resolve(dependencies);
	return result.ok ? [] : result.errors;
}

describe("pinned wheels", () => {
	test("are frozen by hash, kept, and all that a run uses", async () => {
		const built = await build(GREET, ["shoutlib==2.1.0", "Greet.Lib == 1.2.0".replace(".L", "l")]);
		if (!built.ok) throw new Error(JSON.stringify(built.errors));
		expect(built.frozen_deps).toMatchObject([
			{ name: "greetlib", version: "1.2.0", filename: "greetlib-1.2.0-py3-none-any.whl" },
			{ name: "shoutlib", version: "2.1.0", filename: "shoutlib-2.1.0-py3-none-any.whl" },
		]);
		await seen();

		const call = { frozen_deps: built.frozen_deps, arguments: { name: "ada" } };
		expect(await run(GREET, call)).toMatchObject({ status: "succeeded", output: "HELLO ADA!1.2.0" });
		expect(await seen()).toEqual([]);

		expect(await resolve(["greetlib==1.2.0", "shoutlib==2.1.0"])).toEqual({
			ok: true,
			frozen_deps: built.frozen_deps,
		});
		expect((await seen()).filter((path) => path.startsWith("/files/"))).toEqual([]);
	});

	test("show in tracebacks", async () => {
		const built = await build("import greetlib\ndef handler():\n    greetlib.boom()", [
			"greetlib==1.2.0",
			"shoutlib==2.1.0",
		]);
		if (!built.ok) throw new Error(JSON.stringify(built.errors));
		const result = await run("import greetlib\ndef handler():\n    greetlib.boom()", {
			frozen_deps: built.frozen_deps,
		});
		expect(result).toMatchObject({ error: { message: "ValueError: from a dependency" } });
		expect(result.status === "failed" && result.error.traceback).toContain(
			"site-packages/greetlib/__init__.py",
		);
	});

	test("of the purelib scheme are laid out", async () => {
		const built = await build("import data_lib\ndef handler():\n    return data_lib.VALUE", [
			"data-lib==1.0",
		]);
		if (!built.ok) throw new Error(JSON.stringify(built.errors));
		expect(await run("import data_lib\ndef handler():\n    return data_lib.VALUE", built)).toMatchObject({
			output: 7,
		});
	});

	test("that are not in storage refuse the run", async () => {
		const frozen_deps = [
			{ name: "x", version: "1", filename: "x-1-py3-none-any.whl", sha256: "ab".repeat(32) },
		];
		expect(await run(GREET, { frozen_deps })).toMatchObject({
			status: "refused",
			error: { code: "WHEEL_MISSING" },
		});
	});

	test("are found where the index redirects to", async () => {
		await seen();
		expect((await resolve(["moved==1.0"])).ok).toBe(true);
		expect(await seen()).toEqual([
			"/simple/moved/",
			"/mirror/moved/",
			"/mirror/moved/wheels/moved-1.0-py3-none-any.whl",
		]);
	});
});

describe("a requirement that no pin meets names the pin to add", () => {
	test("when it is missing", async () => {
		expect(await faultsOf(["greetlib==1.2.0"])).toMatchObject([
			{
				code: "DEPENDENCY_MISSING_PIN",
				gate: "code_environment",
				dependency: "greetlib==1.2.0",
				suggested_pin: "shoutlib==2.1.0",
				message: "greetlib==1.2.0 also needs shoutlib>=2,<3: pin shoutlib==2.1.0",
			},
		]);
	});
	test("when it is pinned to another version", async () => {
		expect(await faultsOf(["greetlib==1.2.0", "shoutlib==3.0.0"])).toMatchObject([
			{
				code: "DEPENDENCY_CONFLICT",
				suggested_pin: "shoutlib==2.1.0",
				message: "greetlib==1.2.0 needs shoutlib>=2,<3, but shoutlib==3.0.0 is pinned: pin shoutlib==2.1.0",
			},
		]);
	});
	test("when only an extra asks for it", async () => {
		expect(await faultsOf(["greetlib[Quiet]==1.2.0", "shoutlib==2.1.0"])).toMatchObject([
			{
				code: "DEPENDENCY_MISSING_PIN",
				dependency: "greetlib[quiet]==1.2.0",
				suggested_pin: "whisperlib==1.0",
			},
		]);
		expect((await resolve(["greetlib[quiet]==1.2.0", "shoutlib==2.1.0", "whisperlib==1"])).ok).toBe(true);
	});
	test("also when a package contradicts itself", async () => {
		expect(await faultsOf(["selfish==1.0"])).toMatchObject([
			{ code: "DEPENDENCY_CONFLICT", suggested_pin: null },
		]);
	});
});

test("a pre-release may be pinned where a specifier allows it", async () => {
	expect((await resolve(["greetlib==1.2.0", "shoutlib==2.2.0rc1"])).ok).toBe(true);
});

describe("pins that cannot be used are all named", () => {
	test.each([
		["shoutlib>=2", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["shoutlib==2.*", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["shoutlib", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["shoutlib===2.1.0", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["shoutlib==2.1.0,!=2.2", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["shoutlib==2.1.0; python_version > '3'", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["shoutlib @ https://example.com/shoutlib.whl", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["-r requirements.txt", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["../../etc==1", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["", "DEPENDENCY_MALFORMED", "not an exact pin"],
		["nope==1", "DEPENDENCY_NOT_FOUND", "no such package"],
		["shoutlib==9.9", "DEPENDENCY_NOT_FOUND", "no such version"],
		["nativelib==1.0", "DEPENDENCY_NO_WHEEL", "pure-Python"],
		["futurelib==1.0", "DEPENDENCY_NO_WHEEL", "needs Python >=3.99"],
		["withdrawn==1.0", "DEPENDENCY_NO_WHEEL", "withdrawn"],
		["tampered==1.0", "DEPENDENCY_HASH_MISMATCH", "the package index says 0000"],
		["unhashed==1.0", "DEPENDENCY_HASH_MISMATCH", "no sha256"],
		["impostor==1.0", "WHEEL_UNUSABLE", "holds innocent 9"],
		["climber==1.0", "WHEEL_UNUSABLE", "unsafe path"],
		["garbage==1.0", "WHEEL_UNUSABLE", "not a zip file"],
		["puzzling==1.0", "WHEEL_UNUSABLE", "cannot be read"],
		["bomb==1.0", "WHEEL_UNUSABLE", "unpacks to too many bytes"],
		["lost==1.0", "INDEX_UNAVAILABLE", "status 404"],
		["fat==1.0", "DEPENDENCY_LIMIT", "10 MiB"],
		["hangs==1.0", "INDEX_UNAVAILABLE", "did not answer in time"],
		["endless==1.0", "DEPENDENCY_LIMIT", "16 MiB"],
		["html==1.0", "INDEX_UNAVAILABLE", "JSON simple API"],
		["nonsense==1.0", "INDEX_UNAVAILABLE", "JSON simple API"],
		["failing==1.0", "INDEX_UNAVAILABLE", "status 503"],
		["metadata==1.0", "INDEX_UNAVAILABLE", "not a public one"],
		["intranet==1.0", "INDEX_UNAVAILABLE", "not a public one"],
		["unnamed==1.0", "INDEX_UNAVAILABLE", "the resolver did not answer"],
	])("%s", async (dependency, code, message) => {
		expect(await faultsOf([dependency])).toMatchObject([
			{ code, gate: "code_environment", message: expect.stringContaining(message) },
		]);
	});

	test("with the host of the index and its setting where it is the index that fails", async () => {
		const { host } = new URL(inject("indexUrl"));
		const [failing] = await faultsOf(["failing==1.0"]);
		const index = `the package index ${host} (setting PYTHON_INDEX)`;
		expect(failing?.message).toBe(`failing: ${index} answered with status 503`);
		const [lost] = await faultsOf(["lost==1.0"]);
		expect(lost?.message).toContain(`${index} answered with status 404`);
	});

	test("one beside the other, in order", async () => {
		const faults = await faultsOf(["nope==1", "tampered==1.0", "shoutlib==2.1.0"]);
		expect(faults.map((fault) => [fault.dependency, fault.code])).toEqual([
			["nope==1", "DEPENDENCY_NOT_FOUND"],
			["tampered==1.0", "DEPENDENCY_HASH_MISMATCH"],
		]);
	});
	test("that say much of themselves, in few words", async () => {
		expect(await faultsOf(["verbose==1.0"])).toMatchObject([{ code: "DEPENDENCY_NOT_FOUND" }]);
		const needs = await faultsOf(["needy==1.0"]);
		expect(needs).toHaveLength(50);
		expect(needs[0]?.code).toBe("DEPENDENCY_MISSING_PIN");
		const [boast] = await faultsOf(["boastful==1.0"]);
		expect(boast?.message).toMatch(/^boastful-1\.0-py3-none-any\.whl: holds x{900}/);
		expect(boast?.message.length).toBeLessThanOrEqual(1_000);
	});
	test("twice, however they are spelled", async () => {
		expect(await faultsOf(["shout_lib==1.0", "Shout.Lib==1.0", "shoutlib==1"])).toMatchObject([
			{ code: "DEPENDENCY_DUPLICATE", dependency: "shout-lib==1.0" },
		]);
	});
	test("more than 50", async () => {
		const many = Array.from({ length: 51 }, (_, n) => `lib${n}==1`);
		expect(await faultsOf(many)).toMatchObject([{ code: "DEPENDENCY_LIMIT" }]);
	});
});

test("a build without dependencies asks nobody", async () => {
	await seen();
	expect(await build("def handler(): pass")).toMatchObject({ ok: true, frozen_deps: [] });
	expect(await seen()).toEqual([]);
});
