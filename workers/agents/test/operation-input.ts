import type { RouteSpec } from "@parley/http/route";
import type { z } from "zod";
import { app } from "../src/app.ts";

export type Params = Record<string, string>;

export const paramsOf = (spec: RouteSpec): string[] => Object.keys(spec.params?.shape ?? {});

/** Returns the path parameters that identify a resource, rather than select within one. */
export const identitiesOf = (spec: RouteSpec): string[] =>
	paramsOf(spec).filter((name) => name === "name" || name.endsWith("_id"));

/** Returns an operation's path with its parameters and its required query. */
export function pathOf(spec: RouteSpec, params: Params, query: Params = {}): string {
	const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const value = params[name];
		if (value === undefined) throw new Error(`resourcesOf makes nothing for {${name}}`);
		return value;
	});
	const search = new URLSearchParams({ ...neededQuery(spec), ...query }).toString();
	return search ? `${path}?${search}` : path;
}

/** Returns an operation's example body from the OpenAPI document. */
export const exampleBody = ({ path, method }: RouteSpec): object | undefined =>
	app.describe().paths[path]?.[method]?.requestBody?.content?.["application/json"]?.example as
		| object
		| undefined;

const neededQuery = ({ query }: RouteSpec): Params =>
	Object.fromEntries(
		Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>)
			.filter(([, schema]) => !schema.safeParse(undefined).success)
			.map(([name]) => [name, "1"]),
	);
