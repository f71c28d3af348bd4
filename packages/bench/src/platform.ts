import { compare } from "./load.ts";
import type { BenchServer } from "./server.ts";

export async function benchPlatform({ urls, keys }: BenchServer): Promise<void> {
	const headers = { authorization: `Bearer ${keys.api_key}` };
	await compare(
		"Platform",
		{ name: "baseline: Hono, one D1 read", url: `${urls.baseline}/organisations/${keys.organisation_id}` },
		[
			{ name: "GET /v1/me (cached key, no D1 read)", url: `${urls.platform}/v1/me`, headers },
			{ name: "GET /v1/catalog/models (no key)", url: `${urls.platform}/v1/catalog/models` },
			{ name: "GET /v1/catalog/models (one D1 read)", url: `${urls.platform}/v1/catalog/models`, headers },
		],
	);
}
