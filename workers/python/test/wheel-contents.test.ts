import { expect, test } from "vitest";
import { parsePins } from "../src/dependencies/pins.ts";
import { readWheel } from "../src/dependencies/wheel-file.ts";
import { makeWheel } from "./wheels.ts";

const spec = { name: "lib", version: "1.0", files: {} };
const METADATA = "lib-1.0.dist-info/METADATA";

function read(bytes: Uint8Array) {
	const [pin] = parsePins(["lib==1.0"]).pins;
	if (!pin) throw new Error("no pin");
	return readWheel(bytes, "lib-1.0-py3-none-any.whl", pin);
}

test("requirements are read in no time, however many blanks stand in them", () => {
	const started = performance.now();
	expect(read(makeWheel({ ...spec, requires: ["a>=1", `b${" ".repeat(200_000)}c`] })).requirements[0]).toBe(
		"a>=1",
	);
	expect(performance.now() - started).toBeLessThan(2_000);
});

test("one file of metadata is unpacked, and no other", () => {
	const wheel = Buffer.from(
		makeWheel({ ...spec, files: { [METADATA]: "", "x.dist-info/METADATA": "x".repeat(50_000) } }),
	);
	const packed = wheel.indexOf("x.dist-info/METADATA") + "x.dist-info/METADATA".length;
	wheel.fill(0xff, packed, packed + 20);
	expect(read(wheel).requirements).toEqual([]);
});

test("metadata that is packed to more than it claims to be is not unpacked", () => {
	const requires = Array.from({ length: 100_000 }, (_, n) => `x${n * 7919}`);
	const wheel = Buffer.from(makeWheel({ ...spec, requires }));
	const entry = wheel.lastIndexOf(METADATA) - 46;
	wheel.writeUInt32LE(1_000, entry + 24);
	expect(() => read(wheel)).toThrow("METADATA is too large");
});
