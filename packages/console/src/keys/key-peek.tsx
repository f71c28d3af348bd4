import type { Key } from "@parley/contracts/platform/keys";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isStatus } from "../api/failures.ts";
import { useScope, useSession } from "../api/session.ts";
import { useActorNames } from "../people/actors.ts";
import { AllowedButton } from "../ui/controls/allowed-button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { Time } from "../ui/data/time.tsx";
import { formatNumber } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { Confirm } from "../ui/overlays/dialog.tsx";
import { PeekPanel } from "../ui/overlays/peek-panel.tsx";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { Details } from "../ui/page.tsx";
import { KeyExpiry } from "./key-expiry.tsx";
import { agentsQuery, keyRequestsQuery, revokeKey } from "./keys-api.ts";
import { ScopeList } from "./scope-grid.tsx";
import { texts } from "./texts.ts";

const t = texts.peek;

/** A key beside the list: what it may do, who made it, how much it is used. */
export function KeyPeek({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
	const nameOf = useActorNames();
	const { actor } = useSession();
	const requests = useRequests(apiKey);
	const agents = useQuery({ ...agentsQuery, enabled: useScope("agents:read") && apiKey.agent_id !== null });
	const [isRevoking, setRevoking] = useState(false);
	const items: [string, ReactNode][] = [
		[t.family, `${texts.families[apiKey.family]}: ${texts.familyHints[apiKey.family]}`],
		...(apiKey.agent_id === null
			? []
			: boundTo(apiKey, agents.data?.find(({ id }) => id === apiKey.agent_id)?.name)),
		[t.created, <Time key="created" value={apiKey.created_at} exact />],
		[t.by, nameOf(apiKey.created_by)],
		[
			t.lastUsed,
			apiKey.last_used_at === null ? texts.neverUsed : <Time key="used" value={apiKey.last_used_at} />,
		],
		...(requests === undefined ? [] : [[t.requests, formatNumber(requests)] as [string, string]]),
		[t.expires, <KeyExpiry key="expires" expiresAt={apiKey.expires_at} />],
		[
			t.id,
			<span key="id" className="flex items-center gap-1">
				<code className="truncate font-mono text-xs">{apiKey.id}</code>
				<CopyButton value={apiKey.id} isIcon />
			</span>,
		],
	];
	return (
		<PeekPanel title={apiKey.label} onClose={onClose}>
			<p className="mb-4 flex flex-wrap items-center gap-2">
				<code className="font-mono text-sm">
					{apiKey.prefix}…{apiKey.last_four}
				</code>
				{actor === `api_key:${apiKey.id}` && <Badge tone="lead">{texts.thisKey}</Badge>}
			</p>
			<Details items={items} />
			<h3 className="mt-6 mb-2 text-sm font-semibold">{t.scopes}</h3>
			<ScopeList scopes={apiKey.scopes} />
			<div className="mt-6 border-t border-line pt-5">
				<AllowedButton scope="keys:manage" onClick={() => setRevoking(true)}>
					<span className="text-bad">{icons.trash}</span>
					{t.revoke}
				</AllowedButton>
			</div>
			{isRevoking && (
				<RevokeKey
					apiKey={apiKey}
					requests={requests}
					onClose={() => setRevoking(false)}
					onRevoked={onClose}
				/>
			)}
		</PeekPanel>
	);
}

/** What an agent key is bound to. */
const boundTo = (apiKey: Key, name: string | undefined): [string, ReactNode][] => [
	[t.agent, name ?? apiKey.agent_id],
	[t.version, apiKey.agent_version ?? t.currentVersion],
];

/** Requests of the key in the last 30 days; undefined until they are known. */
function useRequests({ id }: Key): number | undefined {
	const { data } = useQuery({ ...keyRequestsQuery, enabled: useScope("audit:read") });
	return data && (data.get(id) ?? 0);
}

type RevokeProps = {
	apiKey: Key;
	requests: number | undefined;
	onClose: () => void;
	onRevoked: () => void;
};

/** Asks before a key is revoked, and says what would break. */
function RevokeKey({ apiKey, requests, onClose, onRevoked }: RevokeProps) {
	const queries = useQueryClient();
	const { actor } = useSession();
	const [isBusy, setBusy] = useState(false);
	const isOwn = actor === `api_key:${apiKey.id}`;
	const r = texts.revoke;
	const revoke = async () => {
		setBusy(true);
		try {
			// A key that somebody else has just revoked is revoked all the same.
			await revokeKey(apiKey.id).catch((error) => {
				if (!isStatus(error, 404)) throw error;
			});
			toast(r.done(apiKey.label));
			onRevoked();
			await queries.invalidateQueries({ queryKey: ["keys"] });
		} catch (error) {
			toastFailure(error);
			onClose();
		} finally {
			setBusy(false);
		}
	};
	return (
		<Confirm
			title={r.title(apiKey.label)}
			description={r.text}
			action={r.action}
			isDangerous
			isBusy={isBusy}
			onConfirm={() => void revoke()}
			onClose={onClose}
		>
			<section className="rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm">
				<h3 className="mb-1 font-medium">{r.breaks}</h3>
				{apiKey.last_used_at === null ? (
					<p className="text-soft">{r.unused}</p>
				) : (
					<ul className="list-disc space-y-1 pl-4 text-soft marker:text-edge">
						<li className="text-ink">
							{r.lastUsed} <Time value={apiKey.last_used_at} />
							{requests !== undefined && `, ${requests > 0 ? r.requests(requests) : r.noRequests}`}
						</li>
						{apiKey.family === "consumer" && <li>{r.sessions}</li>}
						<li>{r.streams}</li>
						<li>{r.jobs}</li>
						{isOwn && <li className="text-bad">{r.own}</li>}
					</ul>
				)}
			</section>
		</Confirm>
	);
}
