import { classes } from "../classes.ts";
import { CopyButton } from "../controls/copy-button.tsx";

/** Text that a machine reads, with a button to copy it. */
export function CodeBlock({ text, label, className }: { text: string; label: string; className?: string }) {
	return (
		<div className={classes("flex items-start rounded-lg border border-line bg-sunken", className)}>
			<pre
				tabIndex={0}
				aria-label={label}
				className="max-h-[32rem] min-w-0 grow overflow-auto p-3 font-mono text-xs leading-5"
			>
				{text}
			</pre>
			<div className="shrink-0 p-1.5">
				<CopyButton value={text} isIcon />
			</div>
		</div>
	);
}
