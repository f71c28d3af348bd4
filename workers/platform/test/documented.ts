import type { ErrorBody } from "@parley/contracts/shared/error-bodies";
import { errorCodesOf } from "@parley/http/openapi/operation";
import { platformPlane } from "@parley/http/planes/planes";
import type { RouteSpec } from "@parley/http/route";
import { expect } from "vitest";
import { app } from "../src/app.ts";

const operations = app.specs.map((spec) => ({ spec, path: patternOf(spec.path) }));

/** Holds an answer to what the API's own document says that its operation may give. */
export function assertDocumented(
	method: string,
	pathname: string,
	{ status, body }: { status: number; body: unknown },
): void {
	const { spec } =
		operations.find((one) => one.spec.method === method.toLowerCase() && one.path.test(pathname)) ?? {};
	// The choice of region comes before every operation.
	if (!spec || isRegionRefusal(body)) return;
	const documented = app.describe().paths[spec.path.replace("+}", "}")]?.[spec.method]?.responses ?? {};
	expect(Object.keys(documented), spec.operationId).toContain(String(status));
	if (status >= 400)
		expect(errorCodesOf(platformPlane, spec), spec.operationId).toContain((body as ErrorBody).error.code);
	else if (spec.response) expect(spec.response.parse(body), spec.operationId).toEqual(body);
}

function isRegionRefusal(body: unknown): boolean {
	const code = (body as Partial<ErrorBody> | undefined)?.error?.code ?? "";
	return code.startsWith("REGION_");
}

/** The operation's own path first: `{model+}` takes anything, slashes too. */
function patternOf(path: RouteSpec["path"]): RegExp {
	return new RegExp(`^${path.replaceAll(/\{\w+\+\}/g, ".+").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
