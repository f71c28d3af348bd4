import { defineConfig } from "vitest/config";

export default defineConfig({ test: { name: "speech-server", include: ["src/**/*.test.ts"] } });
