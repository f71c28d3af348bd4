import { defineConfig } from "vitest/config";

export default defineConfig({
	test: { name: "dev-stack", testTimeout: 30_000, include: ["src/**/*.test.ts"] },
});
