import type { Scope } from "@parley/contracts/shared/scopes";
import type { IconName } from "../ui/icons.tsx";

export type Screen = {
	to: string;
	label: string;
	icon: IconName;
	/** Keys that lead there, after `g`. */
	key: string;
	/** Scope without which the screen would be empty. */
	scope?: Scope;
};

/** Screens in the order of the navigation, in groups. A screen is listed here once it works. */
export const SCREENS: { label?: string; screens: Screen[] }[] = [
	{
		screens: [
			{ to: "/", label: "Home", icon: "home", key: "h" },
			{ to: "/jobs", label: "Jobs", icon: "jobs", key: "j", scope: "batch:read" },
			{ to: "/search", label: "Search", icon: "search", key: "f", scope: "batch:read" },
		],
	},
	{
		label: "Organisation",
		screens: [
			{ to: "/vault", label: "Vault", icon: "vault", key: "v", scope: "vault:read" },
			{ to: "/keys", label: "Keys", icon: "keys", key: "k", scope: "batch:read" },
			{ to: "/usage", label: "Usage", icon: "usage", key: "u", scope: "audit:read" },
			{ to: "/audit-log", label: "Audit log", icon: "audit", key: "a", scope: "audit:read" },
			{ to: "/people", label: "People", icon: "people", key: "p" },
			{ to: "/settings", label: "Settings", icon: "settings", key: "s" },
		],
	},
];

export type Action = {
	label: string;
	icon: IconName;
	to: string;
	search: Record<string, unknown>;
	scope: Scope;
};

/** Actions that the command palette offers on every screen. Each is an address. */
const ACTIONS: Action[] = [
	{ label: "Create API key", icon: "keys", to: "/keys", search: { new: true }, scope: "keys:manage" },
	{ label: "Invite person", icon: "people", to: "/people", search: { new: true }, scope: "keys:manage" },
	{ label: "Add vault entry", icon: "vault", to: "/vault", search: { new: true }, scope: "vault:write" },
	{
		...{ label: "Rotate webhook secret", icon: "webhooks", to: "/keys" },
		...{ search: { tab: "webhooks", new: true }, scope: "batch:write" },
	},
];

/** Returns the actions that somebody with these scopes may take. */
export const actionsFor = (scopes: readonly Scope[]): Action[] =>
	ACTIONS.filter(({ scope }) => scopes.includes(scope));

/** Returns the screens that somebody with these scopes may use. */
export const screensFor = (scopes: readonly Scope[]): typeof SCREENS =>
	SCREENS.map((group) => ({
		...group,
		screens: group.screens.filter(({ scope }) => scope === undefined || scopes.includes(scope)),
	})).filter(({ screens }) => screens.length > 0);
