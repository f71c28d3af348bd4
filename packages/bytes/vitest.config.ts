import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "bytes", testTimeout: 30_000, include: ["src/**/*.test.ts"] } });
