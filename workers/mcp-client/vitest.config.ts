import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				bindings: {
					EGRESS_ALLOW_LOOPBACK: "true",
					VAULT_KEK: "test:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	test: {
		name: "mcp-client",
		// Each test has an organisation of its own, and loading a worker takes longer than most files of tests.
		isolate: false,
		testTimeout: 30_000,
		include: ["src/**/*.test.ts"],
		globalSetup: ["@parley/egress/test/start-doh-server", "@parley/testing/mcp-peers/start-peers"],
		setupFiles: ["@parley/testing/apply-migrations"],
	},
});
