import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { buildReferenceAssets } from "@parley/dev-stack/reference/reference-assets";
import { answerAsProvider, doorSettings } from "@parley/testing/identity-providers/providers";
import { defineConfig } from "vitest/config";
import { testEngines } from "./test/engine-settings.ts";
import { answerOutbound } from "./test/outbound.ts";

buildReferenceAssets();

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "../../wrangler.toml" },
			miniflare: {
				outboundService: async (request: Request) =>
					(await answerAsProvider(request)) ?? answerOutbound(request),
				// The neighbours are proven in the whole-stack tests; here each says which one was called.
				serviceBindings: {
					AGENTS: () => new Response("agents"),
					BATCH: () => new Response("batch"),
					MCP_SERVER: () => new Response("mcp-server"),
				},
				bindings: {
					RATE_LIMIT_SCALE: "1000",
					EGRESS_RESOLVER: "https://dns.test/dns-query",
					...testEngines,
					...doorSettings,
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	// mediabunny's `browser` field replaces node modules with empty ones, which the pool resolves to a module "node:" that does not exist.
	resolve: { mainFields: ["module", "main"] },
	// Sound files that tests import.
	assetsInclude: ["**/fixtures/**"],
	test: {
		name: "platform",
		// Each test has an organisation of its own, and loading a worker takes longer than most files of tests.
		isolate: false,
		testTimeout: 30_000,
		include: ["src/**/*.test.ts"],
		setupFiles: ["@parley/testing/apply-migrations"],
	},
});
