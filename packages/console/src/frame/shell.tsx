import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useSession } from "../api/session.ts";
import { IconButton } from "../ui/controls/button.tsx";
import { Kbd } from "../ui/controls/kbd.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { icons } from "../ui/icons.tsx";
import { Toaster } from "../ui/overlays/toast.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { ConnectionNotice, LiveDot } from "./connection.tsx";
import { useLiveJobs } from "./live.ts";
import { Logo } from "./logo.tsx";
import { screensFor } from "./screens.ts";
import { SessionExpired } from "./session-expired.tsx";
import { texts } from "./texts.ts";
import { UploadTray } from "./upload-tray.tsx";

const loadPalette = () => import("./command-palette.tsx");
const CommandPalette = lazy(loadPalette);
const ShortcutsDialog = lazy(() => import("./shortcuts-dialog.tsx"));

type Overlay = "palette" | "shortcuts" | undefined;

/** Frame of every screen: navigation, account, commands, notices. */
export function Shell() {
	const session = useSession();
	const navigate = useNavigate();
	const [overlay, setOverlay] = useState<Overlay>();
	const groups = screensFor(session.scopes);
	const group = texts.general;
	useLiveJobs();
	useEffect(() => {
		// What is typed right after the shortcut must reach the palette.
		const timer = setTimeout(() => void loadPalette().catch(() => {}), 1_000);
		return () => clearTimeout(timer);
	}, []);
	useShortcuts([
		{ keys: "mod+k", label: texts.palette, group, isGlobal: true, run: () => setOverlay("palette") },
		{ keys: "/", label: texts.palette, group, run: () => setOverlay("palette") },
		{ keys: "?", label: texts.shortcuts, group, run: () => setOverlay("shortcuts") },
		...groups.flatMap(({ screens }) =>
			screens.map(({ key, label, to }) => ({
				...{ keys: `g ${key}`, label, group: texts.goTo },
				run: () => void navigate({ to }),
			})),
		),
	]);
	return (
		<div className="grid min-h-dvh grid-rows-[auto_1fr] md:grid-cols-[14.5rem_minmax(0,1fr)] md:grid-rows-1">
			<a
				href="#main"
				className="sr-only rounded-md bg-lead p-2 text-sm text-on-lead focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
			>
				{texts.skip}
			</a>
			<header className="z-10 flex items-center gap-1 border-b border-line bg-sunken px-3 py-2 md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:gap-0 md:border-r md:border-b-0 md:p-3">
				<AccountMenu onShortcuts={() => setOverlay("shortcuts")} />
				<button
					type="button"
					onClick={() => setOverlay("palette")}
					aria-keyshortcuts="Control+K Meta+K"
					className="mt-3 hidden h-8 cursor-pointer items-center gap-2 rounded-md border border-line-strong bg-raised px-2 text-sm text-soft shadow-edge transition-colors hover:text-ink md:flex"
				>
					{icons.search}
					<span className="grow text-left">{texts.search}</span>
					<Kbd keys="mod+k" />
				</button>
				<div className="grow md:hidden" />
				<IconButton
					label={texts.search}
					icon={icons.search}
					onClick={() => setOverlay("palette")}
					className="md:hidden"
				/>
				<Navigation groups={groups} />
			</header>
			<div className="flex min-w-0 flex-col">
				<ConnectionNotice />
				<main
					id="main"
					tabIndex={-1}
					className="mx-auto w-full max-w-6xl min-w-0 grow px-4 py-5 outline-none sm:px-6 lg:px-9 lg:py-7"
				>
					<Suspense>
						<Outlet />
					</Suspense>
				</main>
			</div>
			<UploadTray />
			<Toaster />
			<SessionExpired />
			<Suspense>
				{overlay === "palette" && (
					<CommandPalette onClose={() => setOverlay(undefined)} onShortcuts={() => setOverlay("shortcuts")} />
				)}
				{overlay === "shortcuts" && <ShortcutsDialog onClose={() => setOverlay(undefined)} />}
			</Suspense>
		</div>
	);
}

/** Links to the screens: beside the page, or on a narrow one in a sheet that a button opens. */
function Navigation({ groups }: { groups: ReturnType<typeof screensFor> }) {
	const sheet = useRef<HTMLDivElement>(null);
	const path = useRouterState({ select: (state) => state.location.pathname });
	// biome-ignore lint/correctness/useExhaustiveDependencies: the sheet closes when the screen changes
	useEffect(() => {
		if (sheet.current?.matches(":popover-open")) sheet.current.hidePopover();
	}, [path]);
	return (
		<>
			<button
				type="button"
				popoverTarget="navigation"
				aria-label={texts.openNavigation}
				className="grid size-8 cursor-pointer place-items-center rounded-md text-soft hover:bg-hover hover:text-ink md:hidden"
			>
				{icons.menu}
			</button>
			<div
				ref={sheet}
				id="navigation"
				popover="auto"
				className="navigation m-0 h-dvh w-64 flex-col border-line bg-sunken p-3 text-ink max-md:border-r max-md:shadow-float md:static md:flex md:h-auto md:w-auto md:min-h-0 md:grow md:overflow-visible md:bg-transparent md:p-0 md:pt-4"
			>
				<p className="mb-4 flex items-center gap-2 px-2 font-semibold tracking-tight md:hidden">
					<Logo />
					Parley
				</p>
				<nav aria-label={texts.navigation} className="flex flex-col gap-4">
					{groups.map((group) => (
						<div key={group.label ?? ""} className="flex flex-col gap-px">
							{group.label && <p className="px-2 pb-1 text-xs font-medium text-soft">{group.label}</p>}
							{group.screens.map(({ to, label, icon }) => (
								<Link
									key={to}
									to={to}
									activeOptions={{ exact: to === "/" }}
									className="flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:shadow-edge aria-[current=page]:[&_svg]:text-lead"
								>
									{icons[icon]}
									{label}
								</Link>
							))}
						</div>
					))}
				</nav>
				<div className="mt-auto flex items-center gap-1 pt-4">
					<a
						href="/docs"
						className="flex h-8 grow items-center gap-2.5 rounded-md px-2 text-sm text-soft transition-colors hover:bg-hover hover:text-ink"
					>
						{icons.reference}
						{texts.reference}
					</a>
					<LiveDot />
				</div>
			</div>
		</>
	);
}
