import { type Schema, Validator } from "@cfworker/json-schema";
import type { ErrorBody } from "@parley/contracts/shared/error-bodies";
import { errorCodesOf } from "@parley/http/openapi/operation";
import { agentsPlane } from "@parley/http/planes/planes";
import type { RouteSpec } from "@parley/http/route";
import { app } from "../src/app.ts";

const operations = app.specs.map((spec) => ({ spec, path: patternOf(spec.path) }));
const validators = new Map<string, Validator>();

/** Checks an answer against the OpenAPI document. @throws Error for an undocumented answer. */
export function assertDocumented(
	method: string,
	pathname: string,
	answer: { status: number; body: unknown },
): void {
	const spec = operationOf(method, pathname);
	// A 405 belongs to a path, not to an operation.
	if (!spec || answer.status === 405) return;
	const response = app.describe().paths[spec.path]?.[spec.method]?.responses?.[answer.status];
	if (!response) throw new Error(`${spec.operationId} does not document the status ${answer.status}`);
	// A failed run has an `error` in a successful answer.
	const refusal = answer.status >= 400 ? (answer.body as Partial<ErrorBody>) : undefined;
	const code = refusal?.error?.code;
	if (code !== undefined && !errorCodesOf(agentsPlane, spec).some((known) => known === code))
		throw new Error(`${spec.operationId} does not document the code ${code}`);
	const schema = response.content?.["application/json"]?.schema;
	if (schema) assertValid(`${spec.operationId} ${answer.status}`, schema as Schema, answer.body);
}

const operationOf = (method: string, pathname: string): RouteSpec | undefined =>
	operations.find(({ spec, path }) => spec.method === method.toLowerCase() && path.test(pathname))?.spec;

function assertValid(name: string, schema: Schema, body: unknown): void {
	const { components } = app.describe();
	const validator =
		validators.get(name) ?? new Validator({ ...schema, components } as Schema, "2020-12", false);
	validators.set(name, validator);
	const { valid, errors } = validator.validate(body);
	if (valid) return;
	const reasons = errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
	throw new Error(`${name} is not as documented: ${reasons.join("; ")}`);
}

function patternOf(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
