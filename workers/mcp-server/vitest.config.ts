import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildPlanes } from "./test-planes/build-planes.ts";

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				workers: await buildPlanes(),
				bindings: {
					RATE_LIMIT_SCALE: "1000",
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	test: {
		name: "mcp-server",
		// Each test has an organisation of its own, and loading a worker takes longer than most files of tests.
		isolate: false,
		testTimeout: 30_000,
		include: ["src/**/*.test.ts"],
		setupFiles: ["@parley/testing/apply-migrations"],
	},
});
