/** State of the keys screen that lives in the URL. */
export type KeysSearch = {
	tab?: "webhooks";
	page?: number;
	/** Key in the preview. */
	peek?: string;
	/** Whether the dialog is open that makes a key, or rotates the secret. */
	new?: true;
};

/** Reads the state from the URL and drops what it does not know. */
export function keysSearch(search: Record<string, unknown>): KeysSearch {
	const page = Number(search.page);
	return {
		...(search.tab === "webhooks" && { tab: "webhooks" as const }),
		...(Number.isInteger(page) && page > 1 && { page }),
		...(search.new === true && { new: true as const }),
		...(typeof search.peek === "string" && search.peek !== "" && { peek: search.peek }),
	};
}
