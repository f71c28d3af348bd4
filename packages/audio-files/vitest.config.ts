import { defineConfig } from "vitest/config";

export default defineConfig({
	// Sound files that tests import.
	assetsInclude: ["**/fixtures/*"],
	test: { name: "audio-files", testTimeout: 30_000, include: ["src/**/*.test.ts"] },
});
