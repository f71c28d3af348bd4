import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useScope } from "../api/session.ts";
import { AllowedButton, useReason } from "../ui/controls/allowed-button.tsx";
import { useShortcuts } from "../ui/controls/shortcuts.ts";
import { Tabs } from "../ui/controls/tabs.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { icons } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { KeyTable } from "./key-table.tsx";
import { texts } from "./texts.ts";
import { WebhookSecrets } from "./webhook-secrets.tsx";

const route = getRouteApi("/shell/keys");

export function KeysPage() {
	const { tab = "api", new: isNew = false } = route.useSearch();
	const navigate = useNavigate({ from: "/keys" });
	const mayManage = useScope("keys:manage");
	const reason = useReason();
	const setNew = (isOpen: boolean) =>
		void navigate({
			search: ({ new: _, ...old }) => ({ ...old, ...(isOpen && { new: true }) }),
			replace: true,
		});
	const create = () => setNew(true);
	const isOffered = mayManage && tab === "api";
	useShortcuts(isOffered ? [{ keys: "n", label: texts.newKey, group: texts.list, run: create }] : []);
	return (
		<>
			<PageHeader
				title={texts.title}
				actions={
					tab === "api" && (
						<AllowedButton scope="keys:manage" look="lead" onClick={create}>
							{icons.plus}
							{texts.newKey}
						</AllowedButton>
					)
				}
			/>
			<Tabs
				label={texts.tabList}
				tabs={[
					{ id: "api", label: texts.tabs.api },
					{ id: "webhooks", label: texts.tabs.webhooks },
				]}
				current={tab}
				onChange={(next) => void navigate({ search: next === "webhooks" ? { tab: next } : {} })}
			>
				{tab === "webhooks" && <WebhookSecrets isRotating={isNew} onRotate={setNew} />}
				{tab === "api" && mayManage && <KeyTable onCreate={create} />}
				{tab === "api" && !mayManage && (
					<EmptyState icon={icons.keys} title={texts.notAllowedTitle}>
						{reason}
					</EmptyState>
				)}
			</Tabs>
			{tab === "api" && isNew && mayManage && <CreateKeyDialog onClose={() => setNew(false)} />}
		</>
	);
}
