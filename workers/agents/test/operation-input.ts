import type { RouteSpec } from "@parley/http/route";
import type { z } from "zod";
import { app } from "../src/app.ts";

export type Params = Record<string, string>;

export const paramsOf = (spec: RouteSpec): string[] => Object.keys(spec.params?.shape ?? {});

/** Path parameters that say which resource; the others choose within one. */
export const identitiesOf = (spec: RouteSpec): string[] =>
	paramsOf(spec).filter((name) => name === "name" || name.endsWith("_id"));

/** An operation's path with its parameters, and a query of what it cannot do without. */
export function pathOf(spec: RouteSpec, params: Params, query: Params = {}): string {
	const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const value = params[name];
		if (value === undefined) throw new Error(`resourcesOf makes nothing for {${name}}`);
		return value;
	});
	const search = new URLSearchParams({ ...neededQuery(spec), ...query }).toString();
	return search ? `${path}?${search}` : path;
}

/** The body that the API's own document shows for an operation. */
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
