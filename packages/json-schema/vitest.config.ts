import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { name: "json-schema", testTimeout: 30_000, include: ["src/**/*.test.ts"] },
});
