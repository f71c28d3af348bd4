import fc from "fast-check";
import { expect, test } from "vitest";
import { createKey, createRuntimeToken, isRuntimeToken, keyDisplay, keyFamily } from "./api-key.ts";

test("an agent key and a session token are told apart from each other and from other keys", () => {
	expect(keyFamily(createKey("agent"))).toBe("agent");
	expect(isRuntimeToken(createKey("agent"))).toBe(false);
	const token = createRuntimeToken();
	expect(token).toMatch(/^parley_st_[0-9A-Za-z]{38}$/);
	expect(isRuntimeToken(token)).toBe(true);
	expect(keyFamily(token)).toBeUndefined();
	expect(keyDisplay(createKey("agent")).prefix).toBe("parley_ag_");
});

test("no credential becomes one of another family by its prefix", () => {
	for (const from of ["cu", "bt", "ag"])
		for (const to of ["cu", "bt", "ag", "st"]) {
			if (from === to) continue;
			const family = { cu: "consumer", bt: "batch", ag: "agent" }[from] as "consumer";
			const changed = createKey(family).replace(`_${from}_`, `_${to}_`);
			expect([keyFamily(changed), isRuntimeToken(changed)]).toEqual([undefined, false]);
		}
});

test("arbitrary text is no session token", () => {
	fc.assert(fc.property(fc.string(), (text) => !isRuntimeToken(`parley_st_${text}`)));
});
