import { defineConfig } from "vitest/config";

// Plain Node, not the workerd pool: a tool that spins would block the tests with it, and what counts is the sandbox as
// `wrangler dev` runs it, in a process of its own.
export default defineConfig({
	test: {
		name: "python",
		include: ["src/**/*.test.ts", "test/**/*.test.ts"],
		globalSetup: ["./test/global-setup.ts"],
		testTimeout: 60_000,
		hookTimeout: 120_000,
		fileParallelism: false,
	},
});
