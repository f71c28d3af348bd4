import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accepts, parseRequirement } from "./requirement.ts";

const applies = (text: string, extras: string[] = []) =>
	parseRequirement(text)?.appliesTo({ python: "3.14.2", extras: new Set(extras) });

describe("requirements by name", () => {
	test.each([
		["shoutlib (>=2,<3)", "shoutlib", ">=2,<3", []],
		["Some_Lib[Fast,slow.x] ~= 1.4", "some-lib", "~=1.4", ["fast", "slow-x"]],
		["lib", "lib", "", []],
		["lib==1.*,!=1.5; extra == 'x'", "lib", "==1.*,!=1.5", []],
	])("%s", (text, name, specifier, extras) => {
		expect(parseRequirement(text)).toMatchObject({ name, specifier, extras });
	});
	test.each(["", "%%%", "lib @ https://example.com/x.whl", "-r x.txt", "lib>=", "a\nb", "lib==1 extra"])(
		"%j is none",
		(text) => expect(parseRequirement(text)).toBeUndefined(),
	);
});

describe("markers are those of the sandbox", () => {
	test.each([
		["python_version >= '3.9'", true],
		["python_version < '3.9'", false],
		["python_version == '3.14'", true],
		["python_version > '3.9' and python_version < '3.13'", false],
		["python_full_version >= '3.14.1'", true],
		["'3.10' <= python_version", true],
		["sys_platform == 'emscripten'", true],
		["sys_platform == 'win32' or os_name == 'posix'", true],
		["(sys_platform == 'win32' or sys_platform == 'linux') and os_name == 'posix'", false],
		["sys_platform in 'linux emscripten'", true],
		["sys_platform not in 'linux emscripten'", false],
		["platform_machine != 'x86_64'", true],
		["implementation_name == 'cpython' and platform_python_implementation == 'CPython'", true],
		["extra == 'test'", false],
		["extra != 'test'", true],
	])("%s is %s", (marker, expected) => {
		expect(applies(`lib; ${marker}`)).toBe(expected);
	});
	test("an extra counts under any spelling", () => {
		expect(applies("lib; extra == 'Fast_Mode'", ["fast-mode"])).toBe(true);
		expect(applies("lib; extra == 'a' and python_version < '3'", ["a"])).toBe(false);
	});
});

describe("versions", () => {
	const version = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30)).map((parts) => parts.join("."));
	test("an exact specifier accepts its own version and no other", () => {
		fc.assert(
			fc.property(version, version, (a, b) => {
				expect(accepts(`==${a}`, a)).toBe(true);
				expect(accepts(`==${a}`, b)).toBe(a === b);
				expect(accepts(`!=${a}`, b)).toBe(a !== b);
			}),
		);
	});
	test("of two versions exactly one relation holds", () => {
		fc.assert(
			fc.property(version, version, (a, b) => {
				expect([accepts(`<${b}`, a), accepts(`==${b}`, a), accepts(`>${b}`, a)].filter(Boolean)).toHaveLength(
					1,
				);
			}),
		);
	});
	test("pre-releases are accepted where they lie in the range", () => {
		expect(accepts(">=2,<3", "2.2.0rc1")).toBe(true);
		expect(accepts(">=2,<3", "3.0.0rc1")).toBe(false);
	});
});
