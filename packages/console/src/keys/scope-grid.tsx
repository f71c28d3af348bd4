import type { Scope } from "@parley/contracts/shared/scopes";
import { Checkbox } from "../ui/controls/field.tsx";
import { createTexts, SCOPE_GROUPS } from "./texts.ts";

type Props = {
	chosen: ReadonlySet<Scope>;
	/** Scopes that may be given. The others are shown, but cannot be chosen. */
	grantable: ReadonlySet<Scope>;
	/** Scopes that make sense for the kind of key. */
	offered: ReadonlySet<Scope>;
	onChange: (chosen: Set<Scope>) => void;
};

/** Every scope with a checkbox, a line for each thing that scopes are about. */
export function ScopeGrid({ chosen, grantable, offered, onChange }: Props) {
	const toggle = (scope: Scope, isOn: boolean) => {
		const next = new Set(chosen);
		if (isOn) next.add(scope);
		else next.delete(scope);
		onChange(next);
	};
	const groups = SCOPE_GROUPS.filter(({ scopes }) => scopes.some(([scope]) => offered.has(scope)));
	return (
		<div className="divide-y divide-line rounded-lg border border-line">
			{groups.map(({ label, scopes }) => (
				<fieldset key={label} className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-3 py-2">
					<legend className="float-left w-36 text-sm max-sm:w-full">{label}</legend>
					{scopes.map(([scope, verb]) => (
						<Checkbox
							key={scope}
							className="w-18"
							label={
								<span title={grantable.has(scope) ? scope : createTexts.scopeLacking}>
									{verb}
									<span className="sr-only">, {scope}</span>
								</span>
							}
							checked={chosen.has(scope)}
							disabled={!grantable.has(scope)}
							onChange={({ target }) => toggle(scope, target.checked)}
						/>
					))}
				</fieldset>
			))}
		</div>
	);
}

/** The scopes of a key, to read. */
export function ScopeList({ scopes }: { scopes: readonly Scope[] }) {
	const held = new Set(scopes);
	const groups = SCOPE_GROUPS.map((group) => ({
		label: group.label,
		verbs: group.scopes.filter(([scope]) => held.has(scope)).map(([, verb]) => verb.toLowerCase()),
	})).filter(({ verbs }) => verbs.length > 0);
	return (
		<ul className="space-y-1 text-sm">
			{groups.map(({ label, verbs }) => (
				<li key={label} className="flex gap-3">
					<span className="w-32 shrink-0">{label}</span>
					<span className="text-soft">{verbs.join(", ")}</span>
				</li>
			))}
		</ul>
	);
}
