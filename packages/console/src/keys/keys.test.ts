import { SCOPES } from "@parley/contracts/shared/scopes";
import { expect, test } from "vitest";
import { ALL_SCOPES, describeAccess, PRESETS } from "./access.ts";
import { expiryState, expiryTime } from "./expiry.ts";
import { EMPTY_DRAFT, toCreateKey } from "./key-draft.ts";

test("every scope of the API can be chosen", () => {
	expect(new Set(ALL_SCOPES)).toEqual(new Set(SCOPES));
});

test("the access of a key is described by the preset that it was made with", () => {
	for (const preset of ["full", "read", "transcription", "building"] as const)
		expect(describeAccess({ family: "consumer", scopes: [...PRESETS[preset]] })).not.toMatch(/\d/);
	expect(describeAccess({ family: "consumer", scopes: [...SCOPES] })).toBe("Everything");
	expect(describeAccess({ family: "consumer", scopes: ["batch:read"] })).toBe("1 scope");
	expect(describeAccess({ family: "batch", scopes: [...SCOPES] })).toBe("Read and write");
	expect(describeAccess({ family: "batch", scopes: ["batch:read"] })).toBe("Read only");
});

test("a key that expires on a date works until that day ends", () => {
	const now = new Date("2026-11-22T10:00:00Z");
	expect(expiryTime("never", "", now)).toBeNull();
	expect(expiryTime("7", "", now)).toBe("2026-11-29T10:00:00.000Z");
	expect(expiryTime("custom", "", now)).toBeUndefined();
	expect(expiryTime("custom", "2026-11-20", now)).toBeUndefined();
	expect(new Date(expiryTime("custom", "2026-11-24", now) ?? "").getHours()).toBe(23);
});

test("a key is marked two weeks before it expires", () => {
	const now = Date.parse("2026-11-22T10:00:00Z");
	expect(expiryState(null, now)).toBe("never");
	expect(expiryState("2026-11-22T09:59:59Z", now)).toBe("expired");
	expect(expiryState("2026-12-01T00:00:00Z", now)).toBe("soon");
	expect(expiryState("2027-01-01T00:00:00Z", now)).toBe("later");
});

test("a key gets no scope that its maker lacks, and a batch key those of the batch API alone", () => {
	const now = new Date("2026-11-22T10:00:00Z");
	const draft = { ...EMPTY_DRAFT, label: " CI " };
	expect(toCreateKey({ ...draft, label: " " }, SCOPES, undefined, now)).toBeUndefined();
	expect(toCreateKey(draft, ["batch:read", "keys:manage"], undefined, now)).toEqual({
		...{ label: "CI", family: "consumer", scopes: ["batch:read"], expires_at: null },
	});
	expect(toCreateKey(draft, [], undefined, now)).toBeUndefined();
	expect(toCreateKey({ ...draft, family: "batch" }, SCOPES, undefined, now)).toMatchObject({
		scopes: ["batch:read", "batch:write"],
	});
});

test("an agent key is bound to its agent, and to a version only when it is pinned", () => {
	const now = new Date("2026-11-22T10:00:00Z");
	const draft = { ...EMPTY_DRAFT, label: "Desk", family: "agent" as const };
	expect(toCreateKey(draft, SCOPES, undefined, now)).toBeUndefined();
	const agent = { id: "01938f5e-7c00-7000-8000-0000000000e2", version_number: 3 };
	const body = { label: "Desk", family: "agent", expires_at: null, agent_id: agent.id };
	expect(toCreateKey(draft, SCOPES, agent, now)).toEqual(body);
	expect(toCreateKey({ ...draft, isPinned: true }, SCOPES, agent, now)).toEqual({
		...body,
		agent_version: 3,
	});
});
