import { type KeyboardEvent, type ReactNode, useId } from "react";
import { classes } from "../classes.ts";

type Props<Name extends string> = {
	label: string;
	tabs: { id: Name; label: ReactNode }[];
	current: Name;
	onChange: (tab: Name) => void;
	children: ReactNode;
};

/** Tabs with one panel. Arrow keys change the tab. Keep the current one in the URL. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: Props<Name>) {
	const id = useId();
	const move = (event: KeyboardEvent<HTMLDivElement>) => {
		const at = tabs.findIndex((tab) => tab.id === current);
		const steps: Record<string, number> = {
			ArrowRight: at + 1,
			ArrowLeft: at - 1,
			Home: 0,
			End: tabs.length - 1,
		};
		const step = steps[event.key];
		const next = step === undefined ? undefined : tabs[(step + tabs.length) % tabs.length];
		if (!next) return;
		event.preventDefault();
		onChange(next.id);
		document.getElementById(`${id}-${next.id}`)?.focus();
	};
	return (
		<>
			<div
				role="tablist"
				aria-label={label}
				onKeyDown={move}
				className="flex gap-5 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_0_var(--color-line)]"
			>
				{tabs.map((tab) => (
					<button
						key={tab.id}
						id={`${id}-${tab.id}`}
						type="button"
						role="tab"
						aria-selected={tab.id === current}
						aria-controls={`${id}-panel`}
						tabIndex={tab.id === current ? 0 : -1}
						onClick={() => onChange(tab.id)}
						className={classes(
							"h-9 cursor-pointer border-b-2 px-0.5 text-sm whitespace-nowrap transition-colors",
							tab.id === current
								? "border-lead font-medium text-ink"
								: "border-transparent text-soft hover:text-ink",
						)}
					>
						{tab.label}
					</button>
				))}
			</div>
			<div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${current}`} className="pt-4">
				{children}
			</div>
		</>
	);
}
