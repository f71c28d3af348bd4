import { z } from "zod";

/** Written in any case, read in lower case (RFC 9562, section 4). */
export const Uuid = z.uuid().toLowerCase().meta({ description: "UUID in canonical text form" });

/** ISO 8601 UTC with milliseconds, as `Date.prototype.toISOString` writes it. */
export const Timestamp = z.iso.datetime().meta({ example: "2026-11-20T09:30:00.000Z" });

/** Paging of lists that answer `{items, meta}`. */
export const PageMeta = z
	.object({
		page: z.int().min(1).describe("Number of this page, from 1"),
		page_size: z.int().min(1).describe("Items per page"),
		total: z.int().min(0).describe("Items on all pages"),
		pages: z.int().min(0).describe("Number of pages"),
	})
	.meta({ id: "PageMeta", description: "Position in the list" });
export type PageMeta = z.infer<typeof PageMeta>;

/** `{items, meta}` of one kind of item. */
export const pageOf = <T extends z.ZodType>(item: T) =>
	z.object({ items: z.array(item).describe("Items of this page"), meta: PageMeta });

/**
 * A whole number in a query or path, written in digits alone: no sign, exponent, blank or empty text counts as one.
 * @param unit what it counts, for the refusal.
 */
export const queryInteger = (min: number, max: number, unit?: string) => {
	const message = `Must be a whole number ${unit ? `of ${unit} ` : ""}from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d{1,15}$/, message)
		.transform(Number)
		.pipe(z.int().min(min, message).max(max, message));
};

/** A version's number in a query or path. */
export const versionNumber = queryInteger(1, 2_147_483_647);

/** Query parameters of a paged list: `page` from 1, `page_size` from 1 to `max`. */
export const pageQuery = (defaultSize = 20, max = 100) => ({
	page: queryInteger(1, 100_000).default(1).describe("Number of the page. Default 1."),
	page_size: queryInteger(1, max)
		.default(defaultSize)
		.describe(`Items per page. Default ${defaultSize}, 1 to ${max}.`),
});

/** Largest `offset` of a bare array. Items are counted up to the same number. */
export const MAX_OFFSET = 10_000;

/** Query parameters of a bare array that is paged. */
export const arrayQuery = {
	limit: queryInteger(1, 200).default(100).describe("Items per page. Default 100, 1 to 200."),
	offset: queryInteger(0, MAX_OFFSET)
		.default(0)
		.describe("Items to skip, counted after filtering. Default 0, at most 10000."),
};

/** Query parameter of a bare array that keeps the items of given names, as long as a name may be. */
export const nameFilter = (maxLength: number) => ({
	name: z
		.array(z.string().min(1).max(maxLength))
		.max(200)
		.optional()
		.describe("Exact, case-sensitive name. Repeat it to match any of up to 200 names."),
});

/** Items of a bare array, and how many match in all. A total above `MAX_OFFSET` stands for any larger number. */
export type ArrayPage<T> = { items: T[]; total: number };

/** Page numbers of a list of `total` items. */
export const pageMeta = (page: number, pageSize: number, total: number): PageMeta => ({
	page,
	page_size: pageSize,
	total,
	pages: Math.ceil(total / pageSize),
});

/** Position in a list that is paged by key: items that are added meanwhile move nothing. */
export const KeysetMeta = z
	.object({
		page_size: z.int().min(1).describe("Largest number of items per page"),
		next_cursor: z
			.string()
			.nullable()
			.describe("Value of `cursor` for the next page. Null on the last page.")
			.meta({ example: null }),
	})
	.meta({ id: "KeysetMeta", description: "Position in the list" });

/** `{items, meta}` of one kind of item, paged by key. */
export const keysetPageOf = <T extends z.ZodType>(item: T) =>
	z.object({ items: z.array(item).describe("Items of this page"), meta: KeysetMeta });

/** Query parameters of a list that is paged by key: `page_size` from 1 to `max`, and `cursor`, the last item's id. */
export const keysetQuery = (defaultSize: number, max: number) => ({
	page_size: queryInteger(1, max)
		.default(defaultSize)
		.describe(`Items per page. Default ${defaultSize}, 1 to ${max}.`),
	cursor: Uuid.optional().describe("`meta.next_cursor` of the previous page. Omit it for the first page."),
});
