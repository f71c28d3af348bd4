import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "canonical", include: ["src/**/*.test.ts"] } });
