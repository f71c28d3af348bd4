/** State of a job's screen that lives in the URL. */
export type JobSearch = {
	tab?: string;
	/** Position to start at, in seconds. */
	t?: number;
	/** Words to find in the transcript. */
	find?: string;
};

export function jobSearch(search: Record<string, unknown>): JobSearch {
	const t = Number(search.t);
	return {
		...(typeof search.tab === "string" && { tab: search.tab }),
		...(search.t !== undefined && Number.isFinite(t) && t >= 0 && { t }),
		...(typeof search.find === "string" && search.find !== "" && { find: search.find }),
	};
}
