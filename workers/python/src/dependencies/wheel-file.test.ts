import { describe, expect, test } from "vitest";
import { parseWheelName } from "./wheel-file.ts";

describe("wheel names", () => {
	test.each([
		["six-1.17.0-py2.py3-none-any.whl", "six", "1.17.0", true],
		["Some_Lib-1.0-1-py3-none-any.whl", "some-lib", "1.0", true],
		["lib-1.0+local.1-cp312-none-any.whl", "lib", "1.0+local.1", true],
		["lib-1.0-cp399-none-any.whl", "lib", "1.0", false],
		["lib-1.0-py2-none-any.whl", "lib", "1.0", false],
		["numpy-2.0-cp314-cp314-manylinux_2_17_x86_64.whl", "numpy", "2.0", false],
		["numpy-2.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl", "numpy", "2.0", false],
	])("%s", (filename, name, version, isPure) => {
		expect(parseWheelName(filename, 14)).toEqual({ name, version, isPure });
	});
	test.each([
		"lib-1.0.tar.gz",
		"lib.whl",
		"../lib-1.0-py3-none-any.whl",
		"lib-x.y-py3-none-any.whl",
		"a/b-1-py3-none-any.whl",
	])("%s is none", (filename) => expect(parseWheelName(filename, 14)).toBeUndefined());
});
