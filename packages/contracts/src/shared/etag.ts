import { toHex } from "@parley/bytes/hex";
import { ApiError } from "./api-error.ts";

/**
 * The strong entity tag (RFC 9110 section 8.8.3) of a resource in its wire shape: half of SHA-256 over its JSON text, in
 * lower hex and quotes. `GET` routes with `etag: true` send it, so a tag names exactly the bytes that were read.
 */
export const etagOf = (value: unknown): Promise<string> => etagOfText(JSON.stringify(value));

/** The same for JSON text that is already written. */
export async function etagOfText(json: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(json));
	const half = new Uint8Array(digest, 0, 16);
	return `"${toHex(half)}"`;
}

/**
 * Holds a change to the caller's `If-Match`. A service calls it with the resource as `GET` would answer it now, built by
 * the same function, and then writes on condition of the revision that it read; no changed row means that another write
 * came between, which is `PRECONDITION_FAILED` too when there was an `If-Match`:
 *
 *     const row = await findTool(ctx, id);
 *     await assertIfMatch(ctx, toTool(row));
 *     const result = await ctx.db.update(tools).set({…, revision: row.revision + 1})
 *       .where(and(eq(tools.organisationId, …), eq(tools.id, id), eq(tools.revision, row.revision)));
 *     if (changedRows(result) === 0) throw preconditionFailed();
 *
 * Without an `If-Match` it does nothing.
 * @throws ApiError PRECONDITION_FAILED when none of the caller's tags is the resource's.
 */
export async function assertIfMatch(ctx: { ifMatch?: string | undefined }, current: unknown): Promise<void> {
	if (ctx.ifMatch === undefined || ctx.ifMatch.trim() === "*") return;
	// Strong comparison: a weak tag never matches (RFC 9110 section 8.8.3.2).
	if (!tagsOf(ctx.ifMatch).includes(await etagOf(current))) throw preconditionFailed();
}

/** Returns the error for a write to a resource that has changed since the caller read it. */
export const preconditionFailed = (): ApiError =>
	new ApiError("PRECONDITION_FAILED", "The resource has changed since it was read");

/** Whether an `If-None-Match` names this tag; comparison is weak, as for every `GET` (RFC 9110 section 13.1.2). */
export function matchesNone(ifNoneMatch: string | undefined, tag: string): boolean {
	if (ifNoneMatch === undefined) return true;
	if (ifNoneMatch.trim() === "*") return false;
	return !tagsOf(ifNoneMatch).some((given) => given.replace(/^W\//, "") === tag);
}

const tagsOf = (field: string): string[] => field.match(/(?:W\/)?"[^"]*"/g) ?? [];
