import { describe, expect, test } from "vitest";
import type { App } from "../app.ts";
import type { BaseEnv } from "../base-env.ts";
import { successStatus } from "../route.ts";
import { placeholderExamples, undescribedOperations } from "./checks.ts";
import { invalidExamples } from "./examples/invalid-examples.ts";

/**
 * For tests: the rules that hold for every operation of every worker with routes.
 * @param undescribed operations that may lack a description still
 */
export function testWorkerContract<E extends BaseEnv>(
	app: Pick<App<E>, "specs" | "describe">,
	{ undescribed = 0 }: { undescribed?: number } = {},
): void {
	const operationOf = (spec: (typeof app.specs)[number]) =>
		app.describe().paths[spec.path.replace("+}", "}")]?.[spec.method];

	describe("the contract of every worker", () => {
		test("every operation is documented under an id of its own, with its scope", () => {
			expect(new Set(app.specs.map(({ operationId }) => operationId)).size).toBe(app.specs.length);
			for (const spec of app.specs) {
				const isScoped = spec.access !== "any-key" && spec.access !== "open";
				expect(operationOf(spec)).toMatchObject({
					operationId: spec.operationId,
					...(isScoped && { "x-required-scope": spec.access }),
				});
			}
		});

		test("every operation and every tag has a description", () => {
			const missing = undescribedOperations(app);
			expect(missing.length, missing.join(", ")).toBeLessThanOrEqual(undescribed);
		});

		test("every operation documents the refusals that any request may meet", () => {
			for (const spec of app.specs) {
				const statuses = Object.keys(operationOf(spec)?.responses ?? {});
				const shared = ["400", "401", "429", "500", "503", ...(spec.access === "open" ? [] : ["403"])];
				const ofBody = spec.body || spec.raw ? ["413", "415"] : [];
				expect(statuses, spec.operationId).toEqual(expect.arrayContaining([...shared, ...ofBody]));
			}
		});

		test("every documented example meets the schema that validates, and none is a placeholder", () => {
			expect(invalidExamples(app)).toEqual([]);
			expect(placeholderExamples(app)).toEqual([]);
		});

		test("whatever creates something takes an Idempotency-Key and names its location", () => {
			for (const spec of app.specs.filter((one) => [201, 202].includes(successStatus(one)))) {
				expect([spec.operationId, Boolean(spec.idempotent)]).toEqual([spec.operationId, true]);
				expect(operationOf(spec)?.responses?.[successStatus(spec)]).toHaveProperty("headers.Location");
			}
		});
	});
}
