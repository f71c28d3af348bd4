import type { JobStatus } from "@parley/contracts/batch/jobs";
import type { Sort } from "../ui/data/data-table.tsx";

/** State of the list of jobs that lives in the URL. */
export type JobsSearch = {
	page?: number;
	status?: JobStatus[];
	model?: string;
	tag?: string;
	reference?: string;
	after?: string;
	before?: string;
	sort?: Sort["by"];
	order?: "asc";
	/** Job in the preview. */
	peek?: string;
	/** Whether the dialog for a new job opens at once. */
	new?: boolean;
};

const text = (value: unknown): string | undefined =>
	typeof value === "string" && value !== "" ? value : undefined;

/** Reads the state from the URL and drops what it does not know. */
export function jobsSearch(search: Record<string, unknown>): JobsSearch {
	const page = Number(search.page);
	const read: JobsSearch = {
		...(Number.isInteger(page) && page > 1 && { page }),
		...(Array.isArray(search.status) && search.status.length > 0 && { status: search.status as JobStatus[] }),
		...(search.new === true && { new: true }),
		...(search.order === "asc" && { order: "asc" as const }),
	};
	for (const name of ["model", "tag", "reference", "after", "before", "sort", "peek"] as const) {
		const value = text(search[name]);
		if (value) read[name] = value;
	}
	return read;
}
