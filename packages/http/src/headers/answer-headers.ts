import { type ArrayPage, MAX_OFFSET } from "@parley/contracts/shared/common";
import { z } from "zod";
import type { Reply } from "../reply.ts";
import { type RouteSpec, successStatus } from "../route.ts";

type Request = { url: URL; params: unknown; query: unknown };
type Answer = { body: unknown; headers: Record<string, string> };
type Documented = Record<string, { description: string; schema: { type: "string" } }>;

/** Whether an answer of this status says where the resource is. */
export const isLocated = (status: number): boolean => status === 201 || status === 202;

/** Returns the body that a handler's reply stands for, and the response headers that come with it. */
export function toAnswer(spec: RouteSpec, request: Request, { status, value }: Reply): Answer {
	if (spec.location !== undefined && isLocated(status)) {
		const values = { ...(request.params as object), ...(value as object) };
		return { body: value, headers: { location: fillPath(spec.location, values) } };
	}
	if (!isArrayRoute(spec) || status !== successStatus(spec)) return { body: value, headers: {} };
	const page = toPage(spec, value);
	return { body: page.items, headers: pageHeaders(request, page) };
}

/** Documents the headers that `toAnswer` gives. */
export function documentedHeaders(spec: RouteSpec, status: number): Documented {
	const header = (description: string) => ({ description, schema: { type: "string" } as const });
	if (spec.location !== undefined && isLocated(status))
		return { Location: header(`Path of the resource: \`${spec.location}\``) };
	if (!isArrayRoute(spec) || status !== successStatus(spec)) return {};
	const total = header("Number of matching items: exact up to 10,000, otherwise `10000+`");
	const link = header('Path of the next page with `rel="next"` (RFC 8288). Absent on the last page.');
	return { "X-Total-Count": total, ...(isPaged(spec) && { Link: link }) };
}

const isArrayRoute = ({ response }: RouteSpec): boolean => response instanceof z.ZodArray;
const isPaged = ({ query }: RouteSpec): boolean => query !== undefined && "offset" in query.shape;

/** Returns the result of a paged array as it is. Any other array is its own only page. */
const toPage = (spec: RouteSpec, result: unknown): ArrayPage<unknown> =>
	isPaged(spec)
		? (result as ArrayPage<unknown>)
		: { items: result as unknown[], total: (result as unknown[]).length };

function pageHeaders({ url, query }: Request, { items, total }: ArrayPage<unknown>): Record<string, string> {
	const count = total > MAX_OFFSET ? `${MAX_OFFSET}+` : String(total);
	const { offset = 0 } = (query ?? {}) as { offset?: number };
	const next = offset + items.length;
	if (items.length === 0 || next >= total || next > MAX_OFFSET) return { "x-total-count": count };
	const search = new URLSearchParams(url.search);
	search.set("offset", String(next));
	return { "x-total-count": count, link: `<${url.pathname}?${search}>; rel="next"` };
}

/** @throws TypeError for a name that has no value: the route is wrong. */
const fillPath = (template: string, values: Record<string, unknown>): string =>
	template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const value = values[name];
		if (value === undefined || value === null) throw new TypeError(`${template} has no value for ${name}`);
		return encodeURIComponent(String(value));
	});
