import { type BatchClient, createBatchClient } from "@parley/sdk/batch";
import { reachableFetch } from "./reachable-fetch.ts";
import { readSettings } from "./settings.ts";

/** Returns a client of the batch API at the address that the environment or `dev.json` names. */
export function connectBatch(): BatchClient {
	const { batchUrl, apiKey } = readSettings();
	return createBatchClient({ baseUrl: batchUrl, apiKey, fetch: reachableFetch });
}
