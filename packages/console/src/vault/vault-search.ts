/** State of the vault that lives in the URL. */
export type VaultSearch = {
	/** Name of the entry in the preview. */
	peek?: string;
	/** Whether the dialog is open that adds an entry. */
	new?: true;
};

/** Reads the state from the URL and drops what it does not know. */
export const vaultSearch = (search: Record<string, unknown>): VaultSearch => ({
	...(typeof search.peek === "string" && search.peek !== "" && { peek: search.peek }),
	...(search.new === true && { new: true as const }),
});
