import { readFileSync } from "node:fs";
import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				workers: [
					{
						name: "parley-python",
						modules: true,
						compatibilityDate: "2026-09-18",
						script: readFileSync(path.join(import.meta.dirname, "test/python-stand-in.mjs"), "utf8"),
					},
				],
				bindings: {
					EGRESS_ALLOW_LOOPBACK: "true",
					RATE_LIMIT_SCALE: "1000",
					VAULT_KEK: "test:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	test: {
		name: "agents",
		// Each test has an organisation of its own, and loading a worker takes longer than most files of tests.
		isolate: false,
		// Races run many rounds of real requests, on machines that do other work beside.
		testTimeout: 30_000,
		include: ["src/**/*.test.ts"],
		globalSetup: ["./test/endpoint-server.ts", "./test/resolver.ts", "./test/mcp/start-peers.ts"],
		setupFiles: ["@parley/testing/apply-migrations"],
	},
});
