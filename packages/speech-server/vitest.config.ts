import { defineConfig } from "vitest/config";

// Recognition takes a tenth of the recording's length, on a machine that has nothing else to do.
export default defineConfig({
	test: {
		name: "speech-server",
		include: ["src/**/*.test.ts"],
		testTimeout: 120_000,
		hookTimeout: 60_000,
		expect: { poll: { timeout: 20_000 } },
	},
});
