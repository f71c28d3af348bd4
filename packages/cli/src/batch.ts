import { type BatchClient, createBatchClient } from "@parley/sdk/batch";
import { fetchOrName } from "./reach.ts";
import { readSettings } from "./settings.ts";

/** The batch API of the Parley that the environment or `dev.json` names. */
export function connectBatch(): BatchClient {
	const { batchUrl, apiKey } = readSettings();
	return createBatchClient({ baseUrl: batchUrl, apiKey, fetch: fetchOrName });
}
