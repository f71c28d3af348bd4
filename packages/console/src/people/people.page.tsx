import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useScope } from "../api/session.ts";
import { AllowedButton, useReason } from "../ui/controls/allowed-button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { Tabs } from "../ui/controls/tabs.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { icons } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Members } from "./members.tsx";
import { Sessions } from "./sessions.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/shell/people");

export function PeoplePage() {
	const { tab = "members", new: isNew = false } = route.useSearch();
	const navigate = useNavigate({ from: "/people" });
	const mayManage = useScope("keys:manage");
	const reason = useReason();
	const setNew = (isOpen: boolean) =>
		void navigate({
			search: ({ new: _, ...old }) => ({ ...old, ...(isOpen && { new: true }) }),
			replace: true,
		});
	const invite = () => setNew(true);
	const isOffered = mayManage && tab === "members";
	useShortcuts(isOffered ? [{ keys: "n", label: texts.invite, group: texts.list, run: invite }] : []);
	return (
		<>
			<PageHeader
				title={texts.title}
				actions={
					tab === "members" && (
						<AllowedButton scope="keys:manage" look="lead" onClick={invite}>
							{icons.plus}
							{texts.invite}
						</AllowedButton>
					)
				}
			/>
			<Tabs
				label={texts.tabList}
				tabs={(["members", "sessions"] as const).map((id) => ({ id, label: texts.tabs[id] }))}
				current={tab}
				onChange={(next) => void navigate({ search: next === "sessions" ? { tab: next } : {} })}
			>
				{tab === "sessions" && <Sessions />}
				{tab === "members" && mayManage && <Members onInvite={invite} />}
				{tab === "members" && !mayManage && (
					<EmptyState icon={icons.people} title={texts.notAllowedTitle}>
						{reason}
					</EmptyState>
				)}
			</Tabs>
			{tab === "members" && isNew && mayManage && <InviteDialog onClose={() => setNew(false)} />}
		</>
	);
}
