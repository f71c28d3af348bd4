import fc from "fast-check";
import { expect, test } from "vitest";
import { currentDatetime } from "./current-datetime.ts";

test("an instant is described in the local time of the timezone", () => {
	const now = new Date("2026-07-01T23:05:09.042Z");
	expect(currentDatetime(now, "Asia/Kolkata")).toEqual({
		iso: "2026-07-02T04:35:09.042+05:30",
		date: "2026-07-02",
		time: "04:35:09",
		weekday: "Thursday",
		timezone: "Asia/Kolkata",
		utc_offset: "+05:30",
		unix: 1_782_947_109,
	});
	expect(currentDatetime(now, "UTC").iso).toBe("2026-07-01T23:05:09.042+00:00");
	expect(currentDatetime(new Date("2026-01-01T00:00:00.000Z"), "America/New_York").iso).toBe(
		"2025-12-31T19:00:00.000-05:00",
	);
});

test("the local time denotes the same instant in every timezone", () => {
	const zone = fc.constantFrom(
		"UTC",
		"Europe/Paris",
		"America/St_Johns",
		"Pacific/Kiritimati",
		"Asia/Kathmandu",
	);
	const instant = fc.date({
		min: new Date("2000-01-01T00:00:00.000Z"),
		max: new Date("2100-01-01T00:00:00.000Z"),
		noInvalidDate: true,
	});
	fc.assert(
		fc.property(instant, zone, (now, timezone) => {
			const told = currentDatetime(now, timezone);
			expect(Date.parse(told.iso)).toBe(now.getTime());
			expect(told.iso).toBe(`${told.date}T${told.time}${told.iso.slice(19, 23)}${told.utc_offset}`);
			const weekday = new Date(`${told.date}T12:00:00Z`).toLocaleDateString("en-US", {
				weekday: "long",
				timeZone: "UTC",
			});
			expect(told.weekday).toBe(weekday);
		}),
	);
});
