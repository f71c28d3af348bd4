import { classes } from "./classes.ts";
import { CopyButton } from "./copy-button.tsx";

/** Text that a machine reads, with a button to copy it. */
export function CodeBlock({ text, label, className }: { text: string; label: string; className?: string }) {
	return (
		<div className={classes("relative rounded-lg border border-line bg-sunken", className)}>
			<div className="absolute top-1.5 right-1.5 bg-sunken">
				<CopyButton value={text} isIcon />
			</div>
			<pre
				tabIndex={0}
				aria-label={label}
				className="max-h-[32rem] overflow-auto p-3 pr-10 font-mono text-xs leading-5"
			>
				{text}
			</pre>
		</div>
	);
}
