import { defineConfig } from "vitest/config";

export default defineConfig({
	// Sound files that tests import.
	assetsInclude: ["**/fixtures/*"],
	test: { name: "audio", include: ["src/**/*.test.ts"] },
});
