import type { CreatedKey, CreateKey } from "@parley/contracts/platform/keys";
import type { Scope } from "@parley/contracts/shared/scopes";
import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { ApiFailure } from "../api/failures.ts";
import { useSession } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { Input, Select } from "../ui/field.tsx";
import { formatDate } from "../ui/format.ts";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import { toastFailure } from "../ui/toast.tsx";
import { ALL_SCOPES, BATCH_SCOPES, PRESETS, type Preset } from "./access.ts";
import { type Expiry, expiryTime } from "./expiry.ts";
import { createKey } from "./keys-api.ts";
import { ScopeGrid } from "./scope-grid.tsx";
import { createTexts as t } from "./texts.ts";

type Family = CreateKey["family"];
const FAMILIES: Family[] = ["consumer", "batch"];

/** Asks what a key is for, creates it and shows it once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
	const queries = useQueryClient();
	const [created, setCreated] = useState<CreatedKey>();
	if (!created) {
		return (
			<KeyForm
				onClose={onClose}
				onCreated={(key) => {
					void queries.invalidateQueries({ queryKey: ["keys"] });
					if (key.key !== null) return setCreated(key);
					toastFailure(t.lost);
					onClose();
				}}
			/>
		);
	}
	return (
		<SecretDialog
			title={t.createdTitle(created.label)}
			label={t.secretLabel}
			value={created.key ?? ""}
			onClose={() => {
				setCreated(undefined);
				onClose();
			}}
		>
			<p className="mb-2 text-soft">{t.useIt}</p>
			<CodeBlock label={t.useIt} text={exampleCall(created.family)} />
		</SecretDialog>
	);
}

/** A call to try the key with. The key itself is a variable of the shell. */
const exampleCall = (family: CreatedKey["family"]) =>
	`curl ${location.origin}${family === "batch" ? "/v1/batch/jobs" : "/v1/me"} \\\n  -H "Authorization: Bearer $PARLEY_API_KEY"`;

type FormProps = { onClose: () => void; onCreated: (key: CreatedKey) => void };

function KeyForm({ onClose, onCreated }: FormProps) {
	const { scopes } = useSession();
	const grantable = new Set(scopes);
	const [label, setLabel] = useState("");
	const [family, setFamily] = useState<Family>("consumer");
	const [preset, setPreset] = useState<Preset>("full");
	const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set());
	const [expiry, setExpiry] = useState<Expiry>("never");
	const [date, setDate] = useState("");
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const attempt = useRef({ body: "", id: "" });

	const isBatch = family === "batch";
	const offered = new Set(isBatch ? BATCH_SCOPES : ALL_SCOPES);
	const given =
		isBatch && preset === "full" ? BATCH_SCOPES : preset === "custom" ? [...chosen] : PRESETS[preset];
	const granted = given.filter((scope) => offered.has(scope) && grantable.has(scope));
	const expiresAt = expiryTime(expiry, date, new Date());

	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (isBusy || granted.length === 0 || expiresAt === undefined) return;
		const body: CreateKey = { label: label.trim(), family, scopes: granted, expires_at: expiresAt };
		const { expires_at: _, ...same } = body;
		const signature = JSON.stringify([same, expiry, date]);
		if (attempt.current.body !== signature) attempt.current = { body: signature, id: crypto.randomUUID() };
		setBusy(true);
		setProblem(undefined);
		try {
			onCreated(await createKey(body, attempt.current.id));
		} catch (error) {
			setProblem(error);
			setBusy(false);
		}
	};
	const choose = (next: Preset) => {
		// Choosing one by one begins with what was chosen as a whole.
		if (next === "custom") setChosen(new Set(granted));
		setPreset(next);
	};
	const labelProblem = problem instanceof ApiFailure ? problem.messageFor("label") : undefined;
	return (
		<Dialog
			title={t.title}
			onClose={onClose}
			width="medium"
			actions={
				<>
					<Button onClick={onClose}>{t.cancel}</Button>
					<Button
						type="submit"
						form="new-key"
						look="lead"
						busy={isBusy}
						disabled={label.trim() === "" || granted.length === 0 || expiresAt === undefined}
					>
						{t.submit}
					</Button>
				</>
			}
		>
			<form id="new-key" method="post" onSubmit={submit} className="space-y-5 pb-1">
				<Input
					label={t.name}
					placeholder={t.namePlaceholder}
					autoFocus
					required
					maxLength={200}
					autoComplete="off"
					value={label}
					problem={labelProblem}
					onChange={({ target }) => setLabel(target.value)}
				/>
				<fieldset>
					<legend className="mb-1.5 text-sm font-medium">{t.family}</legend>
					<div className="grid gap-2 sm:grid-cols-2">
						{FAMILIES.map((one) => (
							<Choice
								key={one}
								name="family"
								label={t.families[one].label}
								hint={t.families[one].hint}
								isChosen={family === one}
								onChoose={() => {
									setFamily(one);
									setPreset("full");
								}}
							/>
						))}
					</div>
				</fieldset>
				<div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
					<Select
						label={t.access}
						hint={(isBatch ? t.batchPresetHints : t.presetHints)[preset] || t.accessHint}
						options={isBatch ? t.batchPresets : t.presets}
						value={preset}
						onChange={({ target }) => choose(target.value as Preset)}
					/>
					<Select
						label={t.expiry}
						hint={expiresAt ? t.expiryAt(formatDate(expiresAt)) : t.expiryNever}
						options={t.expiries}
						value={expiry}
						onChange={({ target }) => setExpiry(target.value as Expiry)}
					/>
					{expiry === "custom" && (
						<div className="sm:col-start-2">
							<Input
								label={t.expiryDate}
								type="date"
								required
								min={new Date().toISOString().slice(0, 10)}
								value={date}
								onChange={({ target }) => setDate(target.value)}
							/>
						</div>
					)}
				</div>
				{preset === "custom" && (
					<div>
						<ScopeGrid chosen={chosen} grantable={grantable} offered={offered} onChange={setChosen} />
						<p className="mt-1.5 text-xs text-soft" role="status">
							{granted.length === 0 ? t.noneChosen : t.chosen(granted.length)}
						</p>
					</div>
				)}
				{problem !== undefined && !labelProblem && <Failure error={problem} />}
			</form>
		</Dialog>
	);
}
