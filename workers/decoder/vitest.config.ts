import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
	plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
	// mediabunny's `browser` field swaps node modules for empty ones, which the pool resolves to a module "node:" that is none.
	resolve: { mainFields: ["module", "main"] },
	// Sound files that tests import.
	assetsInclude: ["**/fixtures/**"],
	test: { name: "decoder", include: ["src/**/*.test.ts"], testTimeout: 30_000 },
});
