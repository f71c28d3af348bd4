import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const stack = process.env.PARLEY_URL || "http://127.0.0.1:8787";
const browsers = ["chrome125", "firefox128", "safari18"];

export default defineConfig({
	plugins: [react(), tailwindcss()],
	build: {
		target: browsers,
		cssTarget: browsers,
		// The content security policy allows no data: URI.
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		manifest: true,
	},
	server: {
		host: "127.0.0.1",
		port: 5173,
		strictPort: true,
		proxy: {
			"^/(v1/|docs|openapi\\.json|health|cdn-cgi/)": {
				target: stack,
				ws: true,
				changeOrigin: true,
				headers: { origin: stack },
			},
		},
	},
});
