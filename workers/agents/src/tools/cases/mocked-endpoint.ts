import { canonicalJson } from "@parley/canonical/jcs";
import type { CaseMock, ToolCase } from "@parley/contracts/agents/tool-cases";
import type { Ctx } from "../../context.ts";
import type { Arguments } from "../../runs/arguments.ts";

/**
 * Returns a context in which a mock answers every request. The request is built and checked as for a real run, but leaves
 * the worker neither for the endpoint nor for a resolver of names.
 */
export const withMock = (ctx: Ctx, mock: CaseMock): Ctx => ({
	...ctx,
	env: { ...ctx.env, EGRESS_RESOLVER: "" },
	fetch: async () => mockResponse(mock),
});

function mockResponse({ status, body }: CaseMock): Response {
	const hasNoBody = status === 204 || status === 205;
	const isText = typeof body === "string";
	return new Response(hasNoBody ? null : isText ? body : JSON.stringify(body), {
		status,
		headers: { "content-type": isText ? "text/plain; charset=utf-8" : "application/json" },
	});
}

type MockCase = Pick<ToolCase, "arguments" | "mock">;

/**
 * Returns the mock for a call: of the case that has a mock and whose arguments all equal the call's. Of several, the one
 * that names the most arguments wins, then the first. A case without arguments matches every call.
 */
export function findMock(cases: readonly MockCase[], args: Arguments): CaseMock | undefined {
	const matching = cases
		.filter((known) => known.mock !== null && equalsWhereNamed(known.arguments, args))
		.toSorted((a, b) => Object.keys(b.arguments).length - Object.keys(a.arguments).length);
	return matching[0]?.mock ?? undefined;
}

const equalsWhereNamed = (named: Arguments, args: Arguments): boolean =>
	Object.entries(named).every(
		([name, value]) => Object.hasOwn(args, name) && canonicalJson(value) === canonicalJson(args[name]),
	);
