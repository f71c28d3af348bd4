import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				bindings: {
					VAULT_KEK: "test:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
					R2_ACCESS_KEY_ID: "local-access-key",
					R2_SECRET_ACCESS_KEY: "local-secret-key",
					SPEECH_ENGINES: JSON.stringify([
						{
							vendor: "openai-compatible",
							base_url: "https://engine.example/v1",
							models: [
								{ code: "test/whisper", model: "whisper-1", languages: ["en", "de"] },
								{ code: "test/diarizing", model: "gpt-4o-transcribe-diarize" },
							],
						},
					]),
					RATE_LIMIT_SCALE: "1000",
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	test: {
		name: "batch",
		// Each test has an organisation of its own, and loading a worker takes longer than most files of tests.
		isolate: false,
		testTimeout: 30_000,
		include: ["src/**/*.test.ts"],
		setupFiles: ["@parley/testing/apply-migrations"],
	},
});
