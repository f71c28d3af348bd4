import type { AuditResource } from "@parley/contracts/agents/audit-log";

/** State of the audit log that lives in the URL. */
export type AuditSearch = {
	page?: number;
	resource?: AuditResource;
	/** Id of one resource. */
	id?: string;
	actor?: string;
	since?: string;
	until?: string;
	/** Entry in the preview. */
	peek?: string;
};

/** Reads the state from the URL and drops what it does not know. */
export function auditSearch(search: Record<string, unknown>): AuditSearch {
	const page = Number(search.page);
	const read: AuditSearch = { ...(Number.isInteger(page) && page > 1 && { page }) };
	for (const name of ["id", "actor", "peek"] as const) {
		const value = search[name];
		if (typeof value === "string" && value !== "") read[name] = value;
	}
	for (const name of ["since", "until"] as const) {
		const value = search[name];
		if (typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)) read[name] = value;
	}
	if (typeof search.resource === "string" && search.resource !== "")
		read.resource = search.resource as AuditResource;
	return read;
}
