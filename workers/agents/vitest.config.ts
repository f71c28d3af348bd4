import { readFileSync } from "node:fs";
import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildMcpClient } from "./test/build-mcp-client.ts";

const SHARED = {
	EGRESS_ALLOW_LOOPBACK: "true",
	VAULT_KEK: "test:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
};

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				workers: [
					await buildMcpClient(SHARED),
					{
						name: "parley-python",
						modules: true,
						compatibilityDate: "2026-09-18",
						script: readFileSync(path.join(import.meta.dirname, "test/python-stand-in.mjs"), "utf8"),
					},
				],
				bindings: {
					...SHARED,
					RATE_LIMIT_SCALE: "1000",
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
		globalSetup: [
			"./test/endpoint-server.ts",
			"@parley/egress/test/start-doh-server",
			"@parley/testing/mcp-peers/start-peers",
		],
		setupFiles: ["@parley/testing/apply-migrations"],
	},
});
