import type { ReactNode } from "react";
import { classes } from "../classes.ts";

const tones = {
	good: "bg-good-wash text-good",
	bad: "bg-bad-wash text-bad",
	warn: "bg-warn-wash text-warn",
	lead: "bg-lead-wash text-lead",
	plain: "bg-sunken text-soft",
} as const;
export type Tone = keyof typeof tones;

type Props = { tone?: Tone; hasDot?: boolean; isPulsing?: boolean; children: ReactNode };

export const Badge = ({ tone = "plain", hasDot = false, isPulsing = false, children }: Props) => (
	<span
		className={classes(
			"inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap",
			tones[tone],
		)}
	>
		{hasDot && (
			<span
				className={classes("size-1.5 rounded-full bg-current", isPulsing && "pulse")}
				aria-hidden="true"
			/>
		)}
		{children}
	</span>
);
