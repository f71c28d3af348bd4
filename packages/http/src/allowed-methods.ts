import type { RouteSpec } from "./route.ts";

/**
 * The methods that a path takes, in upper case; empty for a path of no operation. A path is an operation's only when
 * its parameters are well formed, so that `/v1/agents/tools` is never an agent whose id is `tools`.
 */
export function allowedMethods(specs: readonly RouteSpec[], path: string): string[] {
	const methods = specs.filter((spec) => isPathOf(spec, path)).map(({ method }) => method.toUpperCase());
	// Whatever can be read answers HEAD too.
	return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
}

function isPathOf(spec: RouteSpec, path: string): boolean {
	const pattern = spec.path.replaceAll(/\{(\w+)\+\}/g, "(?<$1>.+)").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
	const match = new RegExp(`^${pattern}$`).exec(path);
	return match !== null && (spec.params?.safeParse({ ...match.groups }).success ?? true);
}
