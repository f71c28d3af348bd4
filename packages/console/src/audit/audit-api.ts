import type { AuditEntry } from "@parley/contracts/agents/audit-log";
import type { PageMeta } from "@parley/contracts/shared/common";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import type { AuditSearch } from "./audit-search.ts";

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 200;
/** Most entries of one export. */
export const MAX_EXPORTED = 10_000;

type AuditPage = { items: AuditEntry[]; meta: PageMeta };

const filterOf = ({ resource, id, actor, since, until }: AuditSearch) => ({
	...{ resource_type: resource, resource_id: id, actor },
	since: since && new Date(`${since}T00:00:00`).toISOString(),
	// The day that was chosen is included.
	until: until && new Date(new Date(`${until}T00:00:00`).getTime() + 86_400_000).toISOString(),
});

export const auditQuery = ({ page = 1, ...search }: AuditSearch) => {
	const query = { page, page_size: PAGE_SIZE, ...filterOf(search) };
	return queryOptions({
		queryKey: ["audit-log", query],
		queryFn: ({ signal }) => call<AuditPage>("GET /v1/agents/audit-log", { query, signal }),
		placeholderData: keepPreviousData,
	});
};

/** Reads all entries that match, the newest first, and no more than an export takes. */
export async function readAll(search: AuditSearch): Promise<{ entries: AuditEntry[]; isCut: boolean }> {
	const entries: AuditEntry[] = [];
	for (let page = 1; ; page++) {
		const { items, meta } = await call<AuditPage>("GET /v1/agents/audit-log", {
			query: { page, page_size: EXPORT_PAGE_SIZE, ...filterOf(search) },
		});
		entries.push(...items);
		if (page >= meta.pages) return { entries, isCut: false };
		if (entries.length >= MAX_EXPORTED) return { entries, isCut: true };
	}
}
