import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { name: "engines", testTimeout: 30_000, include: ["src/**/*.test.ts", "test/**/*.test.ts"] },
});
