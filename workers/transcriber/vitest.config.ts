import path from "node:path";
import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { buildDecoder } from "./test/build-decoder.ts";
import { buildFeed } from "./test/build-feed.ts";

export default defineConfig({
	plugins: [
		cloudflareTest(async () => ({
			wrangler: { configPath: "./wrangler.toml" },
			miniflare: {
				workers: [await buildDecoder(), await buildFeed()],
				bindings: {
					EGRESS_ALLOW_LOOPBACK: "false",
					VAULT_KEK: "test:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
					SPEECH_ENGINES: JSON.stringify([
						{
							vendor: "openai-compatible",
							base_url: "https://engine.example/v1",
							models: [{ code: "test/whisper", model: "whisper-1" }],
						},
					]),
					LANGUAGE_ENGINES: JSON.stringify([
						{ vendor: "classical" },
						{
							vendor: "openai-compatible",
							base_url: "https://chat.example/v1",
							code: "test/chat",
							model: "chat",
						},
					]),
					TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, "../../migrations")),
				},
			},
		})),
	],
	// mediabunny's `browser` field swaps node modules for empty ones, which the pool resolves to a module "node:" that is none.
	resolve: { mainFields: ["module", "main"] },
	// Sound files that tests import.
	assetsInclude: ["**/fixtures/**"],
	test: {
		name: "transcriber",
		// Each test has an organisation of its own, and loading a worker takes longer than most files of tests.
		isolate: false,
		testTimeout: 30_000,
		include: ["src/**/*.test.ts"],
		globalSetup: ["./test/hook-server.ts", "@parley/egress/test/start-doh-server", "./test/audio-host.ts"],
		setupFiles: ["@parley/testing/apply-migrations", "./test/no-jobs.ts"],
	},
});
