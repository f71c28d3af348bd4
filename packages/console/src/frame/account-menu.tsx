import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { signOut, useSession } from "../api/session.ts";
import { Kbd } from "../ui/controls/kbd.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../ui/controls/menu.tsx";
import { icons } from "../ui/icons.tsx";
import { toastFailure } from "../ui/overlays/toast.tsx";
import { useStore } from "../ui/store.ts";
import { texts } from "./texts.ts";
import { setTheme, type Theme, theme } from "./theme.ts";

const themeIcons = { system: icons.system, light: icons.sun, dark: icons.moon } as const;

/** The organisation and who is signed in, with what belongs to them. */
export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
	const session = useSession();
	const queries = useQueryClient();
	const navigate = useNavigate();
	const chosen = useStore(theme);
	const { organisation, user, role } = session;
	const person = user?.name ?? user?.email ?? (role ? texts.roles[role] : texts.keyHolder);
	const leave = async () => {
		try {
			await signOut();
			queries.clear();
			await navigate({ to: "/sign-in", search: { signed_out: true } });
		} catch (error) {
			toastFailure(error);
		}
	};
	return (
		<Menu
			label={`${texts.account}: ${organisation.name}`}
			isNamedByContent
			align="start"
			isWide
			triggerClass="flex min-w-0 cursor-pointer items-center gap-2.5 rounded-md px-1.5 py-1 text-left text-sm transition-colors hover:bg-hover aria-expanded:bg-hover"
			trigger={
				<>
					<span
						aria-hidden="true"
						className="grid size-7 shrink-0 place-items-center rounded-md bg-lead text-xs font-semibold text-on-lead"
					>
						{[...organisation.name][0]?.toUpperCase()}
					</span>
					<span className="min-w-0 grow">
						<span className="block truncate font-medium">{organisation.name}</span>
						<span className="block truncate text-xs text-soft max-md:hidden">{person}</span>
					</span>
					<span className="text-soft">{icons.sort}</span>
				</>
			}
		>
			<MenuLabel>{texts.theme}</MenuLabel>
			{(Object.keys(texts.themes) as Theme[]).map((value) => (
				<MenuItem
					key={value}
					icon={themeIcons[value]}
					isChecked={chosen === value}
					onSelect={() => setTheme(value)}
				>
					{texts.themes[value]}
				</MenuItem>
			))}
			<MenuSeparator />
			<MenuItem icon={icons.keyboard} shortcut={<Kbd keys="?" />} onSelect={onShortcuts}>
				{texts.shortcuts}
			</MenuItem>
			<MenuItem icon={icons.signOut} onSelect={leave}>
				{texts.signOut}
			</MenuItem>
		</Menu>
	);
}
