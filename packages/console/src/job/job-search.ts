export const JOB_TABS = ["transcript", "insights", "translation", "deliveries", "details"] as const;
export type JobTab = (typeof JOB_TABS)[number];

/** State of a job's screen that lives in the URL. */
export type JobSearch = {
	tab?: JobTab;
	/** Position to start at, in seconds. */
	t?: number;
	/** Words to find in the transcript. */
	find?: string;
};

export function jobSearch(search: Record<string, unknown>): JobSearch {
	const t = Number(search.t);
	const tab = JOB_TABS.find((name) => name === search.tab);
	return {
		...(tab && { tab }),
		...(search.t !== undefined && Number.isFinite(t) && t >= 0 && { t }),
		...(typeof search.find === "string" && search.find !== "" && { find: search.find }),
	};
}
