import type { RouteSpec } from "../route.ts";

type Registered = Pick<RouteSpec, "method" | "path" | "params">;

/**
 * Returns the methods that a path takes, in upper case; empty for a path of no operation. A path belongs to an operation
 * only when its parameters are well formed, so that `/v1/agents/tools` is never an agent whose id is `tools`.
 */
export function allowedMethods(registered: readonly Registered[], path: string): string[] {
	const methods = registered.filter((one) => isPathOf(one, path)).map(({ method }) => method.toUpperCase());
	// Whatever answers GET also answers HEAD.
	return [...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))];
}

function isPathOf({ path: template, params }: Registered, path: string): boolean {
	const pattern = template.replaceAll(/\{(\w+)\+\}/g, "(?<$1>.+)").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
	const match = new RegExp(`^${pattern}$`).exec(path);
	return match !== null && (params?.safeParse({ ...match.groups }).success ?? true);
}
