import type { VaultEntry, VaultReference } from "@parley/contracts/agents/secrets";
import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ApiFailure, isStatus } from "../api/failures.ts";
import { Button } from "../ui/controls/button.tsx";
import { Failure } from "../ui/failure.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { References } from "./references.tsx";
import { SecretField } from "./secret-field.tsx";
import { formTexts as t } from "./texts.ts";
import { rotateEntry } from "./vault-api.ts";

type Props = { entry: VaultEntry; references: VaultReference[] | undefined; onClose: () => void };

/** Shows what a rotation reaches before it asks for the new value. */
export function RotateEntryDialog({ entry, references, onClose }: Props) {
	const queries = useQueryClient();
	const [revision, setRevision] = useState(entry.revision);
	const [value, setValue] = useState("");
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const used = references?.filter(({ blocks_delete }) => blocks_delete);
	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (isBusy || value === "") return;
		setBusy(true);
		setProblem(undefined);
		try {
			await rotateEntry(entry.name, { value, expected_revision: revision });
			toast(t.rotated(entry.name));
			void queries.invalidateQueries({ queryKey: ["vault"] });
			onClose();
		} catch (error) {
			const isStale = isStatus(error, 409) && error.code === "REVISION_CONFLICT";
			setProblem(isStale ? new Error(t.stale) : error);
			if (isStale) {
				const entries = await queries
					.fetchQuery<VaultEntry[]>({ queryKey: ["vault"], staleTime: 0 })
					.catch(() => []);
				setRevision(entries.find(({ name }) => name === entry.name)?.revision ?? revision);
			}
			setBusy(false);
		}
	};
	const valueProblem = problem instanceof ApiFailure ? problem.messageFor("value") : undefined;
	return (
		<Dialog
			title={t.rotateTitle(entry.name)}
			description={t.rotateText}
			onClose={onClose}
			width="medium"
			actions={
				<>
					<Button onClick={onClose}>{t.cancel}</Button>
					<Button type="submit" form="rotate-entry" look="lead" busy={isBusy} disabled={value === ""}>
						{t.rotate}
					</Button>
				</>
			}
		>
			<form id="rotate-entry" method="post" onSubmit={submit} className="space-y-4 pb-1">
				{used && (
					<section className="rounded-lg border border-line bg-sunken px-3 py-2.5 text-sm">
						<h3 className={used.length > 0 ? "mb-1.5 font-medium" : "text-soft"}>
							{used.length > 0 ? t.impact : t.noImpact}
						</h3>
						{used.length > 0 && <References references={used} />}
					</section>
				)}
				<SecretField
					label={t.newValue}
					value={value}
					isHidden={entry.kind === "secret"}
					problem={valueProblem}
					hasFocus
					onChange={setValue}
				/>
				{problem !== undefined && !valueProblem && <Failure error={problem} />}
			</form>
		</Dialog>
	);
}
