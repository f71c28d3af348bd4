import fc from "fast-check";
import { expect, test } from "vitest";
import {
	admit,
	admitManual,
	type Breaker,
	breakerAfter,
	CLOSED,
	FIRST_COOLDOWN_MS,
	FORCE_INTERVAL_MS,
	MAX_COOLDOWN_MS,
	MAX_FAILURES,
	type Outcome,
	PROBE_LEASE_MS,
} from "./breaker.ts";

type Step = { waitMs: number; outcome: Outcome | "crashed" };

const outcome = fc.constantFrom<Step["outcome"]>("answered", "transport_failure", "not_tried", "crashed");
const waitMs = fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 0, max: 2_000_000 }));
const steps = fc.array(fc.record({ waitMs, outcome }), { maxLength: 60 });

/** Runs one attempt after each wait. An attempt that crashes never reports. */
function runSteps(all: Step[], start = 1_000_000): { breaker: Breaker; now: number } {
	let breaker = CLOSED;
	let now = start;
	for (const step of all) {
		now += step.waitMs;
		const admission = admit(breaker, now);
		if (!admission.isAdmitted) continue;
		breaker = admission.breaker;
		if (step.outcome !== "crashed") breaker = breakerAfter(breaker, step.outcome, now);
	}
	return { breaker, now };
}

const failures = (count: number): Step[] =>
	Array.from({ length: count }, () => ({ waitMs: 0, outcome: "transport_failure" }));

test("an attempt is always admitted within the longest cooldown", () => {
	fc.assert(
		fc.property(steps, (all) => {
			const { breaker, now } = runSteps(all);
			const admission = admit(breaker, now);
			if (admission.isAdmitted) return;
			expect(admission.retryAt).toBeGreaterThan(now);
			expect(admission.retryAt - now).toBeLessThanOrEqual(MAX_COOLDOWN_MS);
			expect(admit(breaker, admission.retryAt).isAdmitted).toBe(true);
			expect(admit(breaker, admission.retryAt - 1).isAdmitted).toBe(false);
		}),
	);
});

test("setting the clock back never lengthens the wait", () => {
	fc.assert(
		fc.property(steps, fc.nat({ max: 10_000_000 }), (all, back) => {
			const { breaker, now } = runSteps(all, 20_000_000);
			const admission = admit(breaker, now - back);
			if (!admission.isAdmitted)
				expect(admission.retryAt - (now - back)).toBeLessThanOrEqual(MAX_COOLDOWN_MS);
		}),
	);
});

test("exactly one probe at a time runs after a cooldown", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 5 }), fc.nat({ max: PROBE_LEASE_MS - 1 }), (rounds, later) => {
			let { breaker, now } = runSteps(failures(MAX_FAILURES));
			for (let round = 0; round < rounds; round++) {
				now += MAX_COOLDOWN_MS;
				const probe = admit(breaker, now);
				if (!probe.isAdmitted) throw new Error("A cooldown did not end");
				expect(admit(probe.breaker, now + later).isAdmitted).toBe(false);
				breaker = breakerAfter(probe.breaker, "transport_failure", now);
			}
		}),
	);
});

test("a crash during a probe does not block the breaker", () => {
	const { breaker, now } = runSteps([
		...failures(MAX_FAILURES),
		{ waitMs: FIRST_COOLDOWN_MS, outcome: "crashed" },
	]);
	expect(breaker.state).toBe("probing");
	expect(admit(breaker, now + PROBE_LEASE_MS).isAdmitted).toBe(true);
});

test("only consecutive transport failures open the breaker", () => {
	fc.assert(
		fc.property(steps, (all) => {
			const opensAt = all.findIndex((_, i) => runSteps(all.slice(0, i + 1)).breaker.state === "open");
			if (opensAt === -1) return;
			const reported = all.slice(0, opensAt + 1).filter(({ outcome }) => /answered|failure/.test(outcome));
			expect(reported.slice(-MAX_FAILURES).map(({ outcome }) => outcome)).toEqual(
				Array(MAX_FAILURES).fill("transport_failure"),
			);
		}),
	);
});

test("any answer closes the breaker", () => {
	fc.assert(
		fc.property(steps, (all) => {
			const { breaker, now } = runSteps([...all, { waitMs: MAX_COOLDOWN_MS, outcome: "answered" }]);
			expect(breaker).toEqual(CLOSED);
			expect(admit(breaker, now).isAdmitted).toBe(true);
		}),
	);
});

test("the cooldown starts at one minute and doubles with each failed probe up to fifteen minutes", () => {
	let { breaker, now } = runSteps(failures(MAX_FAILURES));
	const cooldowns: number[] = [];
	for (let probe = 0; probe < 7; probe++) {
		const admission = admit(breaker, now);
		if (admission.isAdmitted) throw new Error("Let through during a cooldown");
		cooldowns.push((admission.retryAt - now) / 60_000);
		now = admission.retryAt;
		const probing = admit(breaker, now);
		if (probing.isAdmitted) breaker = breakerAfter(probing.breaker, "transport_failure", now);
	}
	expect(cooldowns).toEqual([1, 2, 4, 8, 15, 15, 15]);
});

test("a manual connect is admitted through an open circuit once in five seconds", () => {
	fc.assert(
		fc.property(steps, fc.nat({ max: 2 * FORCE_INTERVAL_MS }), (all, later) => {
			const { breaker, now } = runSteps(all);
			const first = admitManual(breaker, undefined, now);
			if (!first.isAdmitted) throw new Error("Not let through");
			const isForced = !admit(breaker, now).isAdmitted;
			expect(first.forcedAt).toBe(isForced ? now : undefined);
			if (!isForced || admit(breaker, now + later).isAdmitted) return;
			const second = admitManual(breaker, first.forcedAt, now + later);
			expect(second.isAdmitted).toBe(later >= FORCE_INTERVAL_MS);
			if (!second.isAdmitted) expect(second.retryAt).toBe(now + FORCE_INTERVAL_MS);
		}),
	);
});

test("a manual connect closes an open circuit if it succeeds and keeps the cooldown if it fails", () => {
	const { breaker, now } = runSteps(failures(MAX_FAILURES));
	const forced = admitManual(breaker, undefined, now + 1_000);
	if (!forced.isAdmitted) throw new Error("Not let through");
	expect(breakerAfter(forced.breaker, "transport_failure", now + 2_000)).toEqual(breaker);
	expect(breakerAfter(forced.breaker, "not_tried", now + 2_000)).toEqual(breaker);
	expect(breakerAfter(forced.breaker, "answered", now + 2_000)).toEqual(CLOSED);
});
