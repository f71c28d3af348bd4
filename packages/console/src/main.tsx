import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isPassing } from "./api/failures.ts";
import { makeRouter } from "./router.tsx";
import { listenForShortcuts } from "./ui/controls/shortcuts.ts";
import "./theme.css";

const RETRIES = 2;

const queries = new QueryClient({
	defaultOptions: {
		queries: { staleTime: 5_000, retry: (failures, error) => failures < RETRIES && isPassing(error) },
	},
});
const router = makeRouter(queries);
listenForShortcuts();

const element = document.getElementById("console");
if (element) {
	createRoot(element).render(
		<StrictMode>
			<QueryClientProvider client={queries}>
				<RouterProvider router={router} />
			</QueryClientProvider>
		</StrictMode>,
	);
}
