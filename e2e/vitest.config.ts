import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		name: "e2e",
		include: ["**/*.test.ts", "../packages/console/test/**/*.test.ts"],
		globalSetup: ["./global-setup.ts"],
		testTimeout: 60_000,
		hookTimeout: 120_000,
		fileParallelism: false,
	},
});
