import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "egress", include: ["src/**/*.test.ts", "test/**/*.test.ts"] } });
