import type { QueryClient } from "@tanstack/react-query";
import {
	createRootRouteWithContext,
	createRoute,
	createRouter,
	type ErrorComponentProps,
	lazyRouteComponent,
	Outlet,
	redirect,
} from "@tanstack/react-router";
import { isStatus } from "./api/failures.ts";
import { sessionQuery } from "./api/session.ts";
import { auditSearch } from "./audit/audit-search.ts";
import { Shell } from "./frame/shell.tsx";
import { jobSearch } from "./job/job-search.ts";
import { jobsSearch } from "./jobs/jobs-search.ts";
import { keysSearch } from "./keys/keys-search.ts";
import { peopleSearch } from "./people/people-search.ts";
import { searchSearch } from "./search/search-search.ts";
import { Failure, NotFound } from "./ui/failure.tsx";
import { usageSearch } from "./usage/usage-search.ts";
import { vaultSearch } from "./vault/vault-search.ts";

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
	component: Outlet,
	errorComponent: ScreenFailure,
	notFoundComponent: NotFound,
});

function ScreenFailure({ error, reset }: ErrorComponentProps) {
	return (
		<div className="mx-auto max-w-2xl p-6">
			<Failure error={error} onRetry={reset} />
		</div>
	);
}

const text = (value: unknown): string | undefined =>
	typeof value === "string" && value !== "" ? value : undefined;

const signIn = createRoute({
	getParentRoute: () => root,
	path: "/sign-in",
	validateSearch: (search): { to?: string; signed_out?: boolean; problem?: string } => ({
		...(text(search.to) && { to: text(search.to) }),
		...(search.signed_out === true && { signed_out: true }),
		...(text(search.problem) && { problem: text(search.problem) }),
	}),
	component: lazyRouteComponent(() => import("./sign-in/sign-in.page.tsx"), "SignInPage"),
});

type Visit = { context: { queries: QueryClient }; location: { href: string } };

/** Sends a visitor without a session to the sign-in page, which leads back. */
async function requireSession({ context, location }: Visit): Promise<void> {
	try {
		await context.queries.ensureQueryData(sessionQuery);
	} catch (error) {
		if (!isStatus(error, 401)) throw error;
		throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { to: location.href } });
	}
}

const connect = createRoute({
	getParentRoute: () => root,
	path: "/connect",
	validateSearch: (search): { request?: string } => ({
		...(text(search.request) && { request: text(search.request) }),
	}),
	errorComponent: ScreenFailure,
	beforeLoad: requireSession,
	component: lazyRouteComponent(() => import("./connect/connect.page.tsx"), "ConnectPage"),
});

const shell = createRoute({
	getParentRoute: () => root,
	id: "shell",
	component: Shell,
	errorComponent: ScreenFailure,
	beforeLoad: requireSession,
});

const screen = { getParentRoute: () => shell, errorComponent: ScreenFailure } as const;

const home = createRoute({
	...screen,
	path: "/",
	component: lazyRouteComponent(() => import("./home/home.page.tsx"), "HomePage"),
});
const jobs = createRoute({
	...screen,
	path: "/jobs",
	validateSearch: jobsSearch,
	component: lazyRouteComponent(() => import("./jobs/jobs.page.tsx"), "JobsPage"),
});
const job = createRoute({
	...screen,
	path: "/jobs/$jobId",
	validateSearch: jobSearch,
	component: lazyRouteComponent(() => import("./job/job.page.tsx"), "JobPage"),
});
const keys = createRoute({
	...screen,
	path: "/keys",
	validateSearch: keysSearch,
	component: lazyRouteComponent(() => import("./keys/keys.page.tsx"), "KeysPage"),
});
const usage = createRoute({
	...screen,
	path: "/usage",
	validateSearch: usageSearch,
	component: lazyRouteComponent(() => import("./usage/usage.page.tsx"), "UsagePage"),
});
const people = createRoute({
	...screen,
	path: "/people",
	validateSearch: peopleSearch,
	component: lazyRouteComponent(() => import("./people/people.page.tsx"), "PeoplePage"),
});
const settings = createRoute({
	...screen,
	path: "/settings",
	component: lazyRouteComponent(() => import("./settings/settings.page.tsx"), "SettingsPage"),
});

const editor = createRoute({
	...screen,
	path: "/jobs/$jobId/edit",
	component: lazyRouteComponent(() => import("./editor/editor.page.tsx"), "EditorPage"),
});
const search = createRoute({
	...screen,
	path: "/search",
	validateSearch: searchSearch,
	component: lazyRouteComponent(() => import("./search/search.page.tsx"), "SearchPage"),
});
const auditLog = createRoute({
	...screen,
	path: "/audit-log",
	validateSearch: auditSearch,
	component: lazyRouteComponent(() => import("./audit/audit.page.tsx"), "AuditPage"),
});
const vault = createRoute({
	...screen,
	path: "/vault",
	validateSearch: vaultSearch,
	component: lazyRouteComponent(() => import("./vault/vault.page.tsx"), "VaultPage"),
});

const tree = root.addChildren([
	signIn,
	connect,
	shell.addChildren([home, jobs, job, editor, search, vault, keys, usage, auditLog, people, settings]),
]);

export const makeRouter = (queries: QueryClient) =>
	createRouter({
		routeTree: tree,
		context: { queries },
		defaultPreload: "intent",
		scrollRestoration: true,
		defaultNotFoundComponent: NotFound,
	});

declare module "@tanstack/react-router" {
	interface Register {
		router: ReturnType<typeof makeRouter>;
	}
}
