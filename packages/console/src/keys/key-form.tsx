import type { AgentListItem } from "@parley/contracts/agents/agents";
import type { CreatedKey, CreateKey } from "@parley/contracts/platform/keys";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { ApiFailure } from "../api/failures.ts";
import { useScope, useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Choice } from "../ui/controls/choice.tsx";
import { Input, Select } from "../ui/controls/field.tsx";
import { Failure } from "../ui/failure.tsx";
import { formatDate } from "../ui/format.ts";
import { Dialog } from "../ui/overlays/dialog.tsx";
import type { Preset } from "./access.ts";
import { type Expiry, expiryTime } from "./expiry.ts";
import {
	EMPTY_DRAFT,
	type Family,
	grantedScopes,
	type KeyDraft,
	offeredScopes,
	toCreateKey,
} from "./key-draft.ts";
import { agentsQuery, createKey } from "./keys-api.ts";
import { ScopeGrid } from "./scope-grid.tsx";
import { createTexts as t } from "./texts.ts";

const FAMILIES: Family[] = ["consumer", "batch", "agent"];

type Props = { onClose: () => void; onCreated: (key: CreatedKey) => void };

/** Asks what a key is for. */
export function KeyForm({ onClose, onCreated }: Props) {
	const { scopes: held } = useSession();
	const agents = useQuery({ ...agentsQuery, enabled: useScope("agents:read") });
	const [draft, setDraft] = useState(EMPTY_DRAFT);
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const attempt = useRef<{ draft: KeyDraft; body: CreateKey; id: string }>(undefined);
	const change = (part: Partial<KeyDraft>) => setDraft((old) => ({ ...old, ...part }));
	const agent = agents.data?.find(({ id }) => id === draft.agentId) ?? agents.data?.[0];
	const body = toCreateKey(draft, held, agent, new Date());
	const expiresAt = expiryTime(draft.expiry, draft.date, new Date());

	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (isBusy || !body) return;
		// A second try of the same sends the same, so that it cannot make a second key.
		if (attempt.current?.draft !== draft) attempt.current = { draft, body, id: crypto.randomUUID() };
		setBusy(true);
		setProblem(undefined);
		try {
			onCreated(await createKey(attempt.current.body, attempt.current.id));
		} catch (error) {
			setProblem(error);
			setBusy(false);
		}
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
					<Button type="submit" form="new-key" look="lead" busy={isBusy} disabled={!body}>
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
					value={draft.label}
					problem={labelProblem}
					onChange={({ target }) => change({ label: target.value })}
				/>
				<fieldset>
					<legend className="mb-1.5 text-sm font-medium">{t.family}</legend>
					<div className="grid gap-2 sm:grid-cols-3">
						{FAMILIES.map((one) => (
							<Choice
								key={one}
								name="family"
								label={t.families[one].label}
								hint={one === "agent" && !agent ? t.noAgents : t.families[one].hint}
								isChosen={draft.family === one}
								isDisabled={one === "agent" && !agent}
								onChoose={() => change({ family: one, preset: "full" })}
							/>
						))}
					</div>
				</fieldset>
				<div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
					{draft.family === "agent" && agent ? (
						<AgentFields draft={draft} agent={agent} agents={agents.data ?? []} onChange={change} />
					) : (
						<AccessField draft={draft} onChange={change} />
					)}
					<Select
						label={t.expiry}
						hint={expiresAt ? t.expiryAt(formatDate(expiresAt)) : t.expiryNever}
						options={t.expiries}
						value={draft.expiry}
						onChange={({ target }) => change({ expiry: target.value as Expiry })}
					/>
					{draft.expiry === "custom" && (
						<Input
							label={t.expiryDate}
							type="date"
							required
							min={new Date().toISOString().slice(0, 10)}
							value={draft.date}
							onChange={({ target }) => change({ date: target.value })}
						/>
					)}
				</div>
				{draft.family !== "agent" && draft.preset === "custom" && <Scopes draft={draft} onChange={change} />}
				{problem !== undefined && !labelProblem && <Failure error={problem} />}
			</form>
		</Dialog>
	);
}

type FieldsProps = { draft: KeyDraft; onChange: (part: Partial<KeyDraft>) => void };

function AccessField({ draft, onChange }: FieldsProps) {
	const { scopes: held } = useSession();
	const isBatch = draft.family === "batch";
	const hints: Record<string, string> = isBatch ? t.batchPresetHints : t.presetHints;
	return (
		<Select
			label={t.access}
			hint={hints[draft.preset] || t.accessHint}
			options={isBatch ? t.batchPresets : t.presets}
			value={draft.preset}
			onChange={({ target }) => {
				const preset = target.value as Preset;
				// Choosing one by one begins with what was chosen as a whole.
				onChange({ preset, ...(preset === "custom" && { chosen: new Set(grantedScopes(draft, held)) }) });
			}}
		/>
	);
}

function Scopes({ draft, onChange }: FieldsProps) {
	const { scopes: held } = useSession();
	const count = grantedScopes(draft, held).length;
	return (
		<div>
			<ScopeGrid
				chosen={draft.chosen}
				grantable={new Set(held)}
				offered={new Set(offeredScopes(draft.family))}
				onChange={(chosen) => onChange({ chosen })}
			/>
			<p className="mt-1.5 text-xs text-soft" role="status">
				{count === 0 ? t.noneChosen : t.chosen(count)}
			</p>
		</div>
	);
}

type AgentProps = FieldsProps & { agent: AgentListItem; agents: AgentListItem[] };

function AgentFields({ draft, agent, agents, onChange }: AgentProps) {
	return (
		<>
			<Select
				label={t.agent}
				options={Object.fromEntries(agents.map(({ id, name }) => [id, name]))}
				value={agent.id}
				onChange={({ target }) => onChange({ agentId: target.value })}
			/>
			<Select
				label={t.version}
				hint={draft.isPinned ? t.pinnedHint : t.currentHint}
				options={{ current: t.current, pinned: t.pinned(agent.version_number) }}
				value={draft.isPinned ? "pinned" : "current"}
				onChange={({ target }) => onChange({ isPinned: target.value === "pinned" })}
			/>
		</>
	);
}
