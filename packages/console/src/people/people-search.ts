/** State of the people screen that lives in the URL. */
export type PeopleSearch = {
	tab?: "sessions";
	page?: number;
	/** Person in the preview. */
	peek?: string;
	/** Whether the dialog is open that invites somebody. */
	new?: true;
};

/** Reads the state from the URL and drops what it does not know. */
export function peopleSearch(search: Record<string, unknown>): PeopleSearch {
	const page = Number(search.page);
	return {
		...(search.tab === "sessions" && { tab: "sessions" as const }),
		...(Number.isInteger(page) && page > 1 && { page }),
		...(search.new === true && { new: true as const }),
		...(typeof search.peek === "string" && search.peek !== "" && { peek: search.peek }),
	};
}
