import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				bindings: {
					RATE_LIMIT_SCALE: "1000",
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	test: { name: "batch", include: ["src/**/*.test.ts"], setupFiles: ["@parley/testing/apply-migrations"] },
});
