import { ROLES, type Role, SCOPES_OF_ROLE } from "@parley/contracts/shared/roles";
import { describe, expect, test } from "vitest";
import type { App } from "../app.ts";
import type { BaseEnv } from "../base-env.ts";
import type { RouteSpec } from "../route.ts";

type RoleTest = {
	/**
	 * Calls the worker as a person of a role, from a page of the console, and returns status and text of the answer.
	 * @param headers that differ from what the console sends; null leaves one out
	 */
	callAs: (
		role: Role,
		method: string,
		path: string,
		headers?: Record<string, string | null>,
	) => Promise<{ status: number; text: string }>;
	/** Operations by which a viewer changes something, or seems to. */
	viewerWrites: readonly string[];
};

/**
 * Registers tests of what a console session may call. A role without an operation's scope gets 403, and a role with it can read.
 * Also tests that sessions need the console's origin and header, and that a viewer can write only what `viewerWrites` lists.
 */
export function testWorkerRoles<E extends BaseEnv>(
	{ specs }: Pick<App<E>, "specs">,
	{ callAs, viewerWrites }: RoleTest,
): void {
	const call = (role: Role, spec: RouteSpec, headers: Record<string, string | null> = {}) =>
		callAs(role, spec.method.toUpperCase(), spec.path.replaceAll(/\{\w+\+?\}/g, "x"), headers);
	const isScoped = ({ access }: RouteSpec) => access !== "any-key" && access !== "open";
	const holds = (role: Role, { access }: RouteSpec) =>
		(SCOPES_OF_ROLE[role] as readonly string[]).includes(access);

	describe.each(ROLES)("every operation, to the role %s,", (role) => {
		test("is refused when the role lacks its scope", async () => {
			for (const spec of specs.filter((one) => isScoped(one) && !holds(role, one))) {
				const { status, text } = await call(role, spec);
				const message = `Your role lacks the scope ${spec.access}`;
				expect([spec.operationId, status, text]).toEqual([
					spec.operationId,
					403,
					expect.stringContaining(message),
				]);
			}
		});

		test("is open for reading when the role holds its scope", async () => {
			for (const spec of specs.filter((one) => one.method === "get" && isScoped(one) && holds(role, one))) {
				const { status, text } = await call(role, spec);
				expect([spec.operationId, status, text]).not.toEqual([spec.operationId, 401, expect.anything()]);
				expect([spec.operationId, text]).not.toEqual([
					spec.operationId,
					expect.stringContaining("lacks the scope"),
				]);
			}
		});
	});

	const unsafe = specs.filter(({ method }) => method !== "get");
	test.each(["https://evil.example", "null", "http://parley.example", null])(
		"no operation that changes something takes a session from the origin %s",
		async (origin) => {
			for (const spec of unsafe) {
				const { status, text } = await call("owner", spec, { origin });
				expect([spec.operationId, status, text]).toEqual([
					spec.operationId,
					403,
					expect.stringMatching(/\borigin\b/i),
				]);
			}
		},
	);

	test("no operation takes a session without the console's header", async () => {
		for (const spec of specs.filter(({ access }) => access !== "open")) {
			const { status } = await call("owner", spec, { "x-parley-console": null });
			expect([spec.operationId, status]).toEqual([spec.operationId, 401]);
		}
	});

	test("a viewer changes nothing but what is listed here", () => {
		const writes = specs.filter(
			(spec) => spec.method !== "get" && (!isScoped(spec) || holds("viewer", spec)),
		);
		expect(writes.map(({ operationId }) => operationId)).toEqual(viewerWrites);
	});
}
