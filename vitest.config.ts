import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		// Vitest leaves a core to itself. Many of these tests wait, for time-outs that are real, and two cores would be one.
		maxWorkers: "100%",
		projects: [
			"packages/*/vitest.config.ts",
			"workers/*/vitest.config.ts",
			"scripts/vitest.config.ts",
			"e2e/vitest.config.ts",
		],
	},
});
