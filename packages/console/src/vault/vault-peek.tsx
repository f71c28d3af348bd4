import type { VaultEntry } from "@parley/contracts/agents/secrets";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { isStatus } from "../api/failures.ts";
import { useActorNames } from "../people/actors.ts";
import { AllowedButton } from "../ui/controls/allowed-button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Time } from "../ui/data/time.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatNumber } from "../ui/format.ts";
import { icons } from "../ui/icons.tsx";
import { Confirm } from "../ui/overlays/dialog.tsx";
import { PeekPanel } from "../ui/overlays/peek-panel.tsx";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { Details } from "../ui/page.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { References } from "./references.tsx";
import { RotateEntryDialog } from "./rotate-entry-dialog.tsx";
import { texts } from "./texts.ts";
import { deleteEntry, referencesQuery } from "./vault-api.ts";

const t = texts.peek;

/** An entry beside the list: what uses it, its rotation and its end. */
export function VaultPeek({ entry, onClose }: { entry: VaultEntry; onClose: () => void }) {
	const nameOf = useActorNames();
	const references = useQuery(referencesQuery(entry.name));
	const [asked, setAsked] = useState<"rotate" | "delete">();
	const isUsed = references.data?.some(({ blocks_delete }) => blocks_delete) ?? true;
	return (
		<PeekPanel title={entry.name} onClose={onClose}>
			<Details
				items={[
					[t.kind, texts.kinds[entry.kind]],
					[t.value, shownValue(entry)],
					[t.about, entry.description || t.noAbout],
					[
						t.rotated,
						<span key="rotated">
							<Time value={entry.last_rotated_at} /> {t.by(nameOf(entry.last_rotated_by))}
						</span>,
					],
					[t.revision, formatNumber(entry.revision - 1)],
					[t.created, <Time key="created" value={entry.created_at} exact />],
				]}
			/>
			<h3 className="mt-6 mb-1 text-sm font-semibold">{t.uses}</h3>
			{references.isError && <Failure error={references.error} onRetry={() => void references.refetch()} />}
			{references.isPending && <SkeletonText lines={2} />}
			{references.data?.length === 0 && <p className="text-sm text-soft">{t.noUses}</p>}
			{references.data && <References references={references.data} />}
			<div className="mt-6 flex flex-wrap items-center gap-2 border-t border-line pt-5">
				<AllowedButton scope="vault:write" onClick={() => setAsked("rotate")}>
					{icons.retry}
					{t.rotate}
				</AllowedButton>
				{!entry.is_managed && !isUsed && (
					<AllowedButton scope="vault:write" onClick={() => setAsked("delete")}>
						<span className="text-bad">{icons.trash}</span>
						{t.delete}
					</AllowedButton>
				)}
				{(entry.is_managed || (isUsed && references.data)) && (
					<p className="text-xs text-soft">{entry.is_managed ? t.managed : t.inUse}</p>
				)}
			</div>
			{asked === "rotate" && (
				<RotateEntryDialog entry={entry} references={references.data} onClose={() => setAsked(undefined)} />
			)}
			{asked === "delete" && (
				<DeleteEntry name={entry.name} onClose={() => setAsked(undefined)} onDeleted={onClose} />
			)}
		</PeekPanel>
	);
}

function shownValue({ kind, value }: VaultEntry): ReactNode {
	if (kind === "secret") return <span className="text-soft">{t.hidden}</span>;
	if (value === null) return <span className="text-soft">{t.noAccess}</span>;
	return (
		<span className="flex items-start gap-1">
			<code className="min-w-0 grow font-mono text-xs whitespace-pre-wrap wrap-anywhere">{value}</code>
			<CopyButton value={value} isIcon />
		</span>
	);
}

type DeleteProps = { name: string; onClose: () => void; onDeleted: () => void };

function DeleteEntry({ name, onClose, onDeleted }: DeleteProps) {
	const queries = useQueryClient();
	const [isBusy, setBusy] = useState(false);
	const remove = async () => {
		setBusy(true);
		try {
			await deleteEntry(name).catch((error) => {
				if (!isStatus(error, 404)) throw error;
			});
			toast(texts.delete.done(name));
			onDeleted();
		} catch (error) {
			toastFailure(error);
			onClose();
			void queries.invalidateQueries({ queryKey: ["vault-references", name] });
		} finally {
			setBusy(false);
			void queries.invalidateQueries({ queryKey: ["vault"] });
		}
	};
	return (
		<Confirm
			title={texts.delete.title(name)}
			description={texts.delete.text}
			action={texts.delete.action}
			isDangerous
			isBusy={isBusy}
			onConfirm={() => void remove()}
			onClose={onClose}
		/>
	);
}
