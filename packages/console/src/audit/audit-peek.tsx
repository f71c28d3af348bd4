import type { AuditEntry } from "@parley/contracts/agents/audit-log";
import type { ReactNode } from "react";
import { useActorNames } from "../people/actors.ts";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Time } from "../ui/data/time.tsx";
import { icons } from "../ui/icons.tsx";
import { PeekPanel } from "../ui/overlays/peek-panel.tsx";
import { Details } from "../ui/page.tsx";
import { type Change, describeAction, readChanges, showValue } from "./changes.ts";
import { texts } from "./texts.ts";

const t = texts.peek;

type Props = { entry: AuditEntry; onOnly: () => void; onClose: () => void };

/** A change beside the list: who made it in which request, and each field before and after. */
export function AuditPeek({ entry, onOnly, onClose }: Props) {
	const nameOf = useActorNames();
	const { changes, rest } = readChanges(entry.details);
	return (
		<PeekPanel title={`${describeAction(entry.action)}: ${entry.resource_name}`} onClose={onClose}>
			<Details
				items={[
					[t.when, <Time key="when" value={entry.created_at} exact />],
					[t.who, nameOf(entry.actor)],
					[t.actor, <Code key="actor" text={entry.actor} />],
					[t.id, <Code key="id" text={entry.resource_id} />],
					[t.request, <Code key="request" text={entry.request_id} />],
				]}
			/>
			{changes.length > 0 && <Changes changes={changes} />}
			{rest.length > 0 && (
				<>
					<h3 className="mt-6 mb-2 text-sm font-semibold">{t.details}</h3>
					<Details
						items={rest.map(([name, value]): [string, ReactNode] => [
							name.replaceAll("_", " "),
							<Value key={name} value={value} />,
						])}
					/>
				</>
			)}
			{changes.length + rest.length === 0 && <p className="mt-6 text-sm text-soft">{t.nothing}</p>}
			<div className="mt-6 border-t border-line pt-5">
				<Button onClick={onOnly}>
					{icons.filter}
					{t.only}
				</Button>
			</div>
		</PeekPanel>
	);
}

const Code = ({ text }: { text: string }) => (
	<span className="flex items-center gap-1">
		<code className="truncate font-mono text-xs">{text}</code>
		<CopyButton value={text} isIcon />
	</span>
);

const Value = ({ value }: { value: unknown }) => {
	const text = showValue(value);
	return text === undefined ? (
		<span className="text-soft">{t.none}</span>
	) : (
		<span className="whitespace-pre-wrap wrap-anywhere">{text}</span>
	);
};

/** Each field that changed, its old value above the new one. */
const Changes = ({ changes }: { changes: Change[] }) => (
	<>
		<h3 className="mt-6 mb-2 text-sm font-semibold">{t.changes}</h3>
		<dl className="divide-y divide-line rounded-lg border border-line text-sm">
			{changes.map(({ field, before, after }) => (
				<div key={field} className="px-3 py-2">
					<dt className="text-xs font-medium text-soft">{field.replaceAll("_", " ")}</dt>
					<dd className="mt-1 flex gap-2 rounded-sm bg-bad-wash px-2 py-0.5">
						<span aria-hidden="true" className="text-bad">
							−
						</span>
						<span className="sr-only">{t.before}: </span>
						<Value value={before} />
					</dd>
					<dd className="mt-1 flex gap-2 rounded-sm bg-good-wash px-2 py-0.5">
						<span aria-hidden="true" className="text-good">
							+
						</span>
						<span className="sr-only">{t.after}: </span>
						<Value value={after} />
					</dd>
				</div>
			))}
		</dl>
	</>
);
