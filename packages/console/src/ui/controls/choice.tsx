import type { ReactNode } from "react";

type Props = {
	/** Name that the choices of one question share. */
	name: string;
	label: string;
	hint: ReactNode;
	isChosen: boolean;
	isDisabled?: boolean;
	onChoose: () => void;
};

/** One of several ways, with a sentence on each. */
export function Choice({ name, label, hint, isChosen, isDisabled, onChoose }: Props) {
	return (
		<label className="flex cursor-pointer items-start gap-2.5 rounded-lg border border-line-strong p-3 text-sm transition-colors hover:bg-hover has-checked:border-lead has-checked:bg-lead-wash has-disabled:cursor-default has-disabled:bg-sunken">
			<input
				type="radio"
				name={name}
				className="check mt-0.5"
				checked={isChosen}
				disabled={isDisabled}
				onChange={onChoose}
			/>
			<span>
				<span className="font-medium">{label}</span>
				<span className="mt-0.5 block text-xs text-soft">{hint}</span>
			</span>
		</label>
	);
}
