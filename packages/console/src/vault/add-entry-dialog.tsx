import type { VaultKind } from "@parley/contracts/agents/secrets";
import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ApiFailure } from "../api/failures.ts";
import { Button } from "../ui/controls/button.tsx";
import { Choice } from "../ui/controls/choice.tsx";
import { Input } from "../ui/controls/field.tsx";
import { Failure } from "../ui/failure.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { SecretField } from "./secret-field.tsx";
import { formTexts as t, texts } from "./texts.ts";
import { createEntry } from "./vault-api.ts";

const KINDS: VaultKind[] = ["secret", "variable"];

/** Turns what is typed into a name as the vault takes it. */
export const toVaultName = (text: string): string => text.toUpperCase().replaceAll(/[\s.-]+/g, "_");

export function AddEntryDialog({ onClose }: { onClose: () => void }) {
	const queries = useQueryClient();
	const [name, setName] = useState("");
	const [kind, setKind] = useState<VaultKind>("secret");
	const [value, setValue] = useState("");
	const [about, setAbout] = useState("");
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const isComplete = /^[A-Z][A-Z0-9_]{0,63}$/.test(name) && value !== "";
	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (isBusy || !isComplete) return;
		setBusy(true);
		setProblem(undefined);
		try {
			await createEntry({ name, kind, value, description: about.trim() });
			toast(t.added(name));
			void queries.invalidateQueries({ queryKey: ["vault"] });
			onClose();
		} catch (error) {
			setProblem(error);
			setBusy(false);
		}
	};
	const messageFor = (field: string) =>
		problem instanceof ApiFailure ? problem.messageFor(field) : undefined;
	const isAtField = ["name", "value", "description"].some((field) => messageFor(field));
	return (
		<Dialog
			title={t.addTitle}
			onClose={onClose}
			width="medium"
			actions={
				<>
					<Button onClick={onClose}>{t.cancel}</Button>
					<Button type="submit" form="add-entry" look="lead" busy={isBusy} disabled={!isComplete}>
						{t.add}
					</Button>
				</>
			}
		>
			<form id="add-entry" method="post" onSubmit={submit} className="space-y-5 pb-1">
				<Input
					label={t.name}
					hint={t.nameHint}
					placeholder={t.namePlaceholder}
					isCode
					required
					autoFocus
					autoComplete="off"
					spellCheck={false}
					maxLength={64}
					value={name}
					problem={messageFor("name")}
					onChange={({ target }) => setName(toVaultName(target.value))}
				/>
				<fieldset>
					<legend className="mb-1.5 text-sm font-medium">{t.kind}</legend>
					<div className="grid gap-2 sm:grid-cols-2">
						{KINDS.map((one) => (
							<Choice
								key={one}
								name="kind"
								label={texts.kinds[one]}
								hint={t.kindHints[one]}
								isChosen={kind === one}
								onChoose={() => setKind(one)}
							/>
						))}
					</div>
				</fieldset>
				<SecretField
					label={t.value}
					value={value}
					isHidden={kind === "secret"}
					problem={messageFor("value")}
					onChange={setValue}
				/>
				<Input
					label={t.about}
					hint={t.aboutHint}
					maxLength={2000}
					autoComplete="off"
					value={about}
					problem={messageFor("description")}
					onChange={({ target }) => setAbout(target.value)}
				/>
				{problem !== undefined && !isAtField && <Failure error={problem} />}
			</form>
		</Dialog>
	);
}
