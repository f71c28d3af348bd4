import { errorCodesOf } from "@parley/http/openapi";
import { agentsPlane } from "@parley/http/planes";
import type { RouteSpec } from "@parley/http/route";
import { app } from "../src/app.ts";

const operations = app.specs.map((spec) => ({ spec, path: patternOf(spec.path) }));

/** The operation that takes a request; undefined when none does. */
export const operationOf = (method: string, pathname: string): RouteSpec | undefined =>
	operations.find(({ spec, path }) => spec.method === method.toLowerCase() && path.test(pathname))?.spec;

/** @throws Error for an answer that the OpenAPI document does not say its operation may give. */
export function assertDocumented(
	method: string,
	pathname: string,
	status: number,
	code: string | undefined,
): void {
	const spec = operationOf(method, pathname);
	if (!spec) return;
	const documented = app.describe().paths[spec.path]?.[spec.method]?.responses ?? {};
	if (!(status in documented)) throw new Error(`${spec.operationId} does not document the status ${status}`);
	if (code !== undefined && !errorCodesOf(agentsPlane, spec).some((known) => known === code))
		throw new Error(`${spec.operationId} does not document the code ${code}`);
}

function patternOf(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
