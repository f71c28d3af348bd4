import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../controls/button.tsx";
import { CopyButton } from "../controls/copy-button.tsx";
import { Checkbox } from "../controls/field.tsx";
import { icons } from "../icons.tsx";
import { texts } from "../texts.ts";
import { Dialog } from "./dialog.tsx";

type Props = {
	title: string;
	/** What the value is, for screen readers. */
	label: string;
	value: string;
	onClose: () => void;
	/** What to do with it, below the value. */
	children?: ReactNode;
};

/**
 * Shows a value once. It is on the page only while this dialog is open: the caller drops it in `onClose`, which follows the
 * word that it has been stored. Leaving the page before that word asks first.
 */
export function SecretDialog({ title, label, value, onClose, children }: Props) {
	const [isStored, setStored] = useState(false);
	useEffect(() => {
		if (isStored) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		window.addEventListener("beforeunload", ask);
		return () => window.removeEventListener("beforeunload", ask);
	}, [isStored]);
	return (
		<Dialog
			title={title}
			onClose={onClose}
			isSticky
			width="medium"
			actions={
				<>
					<div className="flex grow items-center">
						<Checkbox
							label={texts.stored}
							checked={isStored}
							onChange={({ target }) => setStored(target.checked)}
						/>
					</div>
					<Button look="lead" disabled={!isStored} onClick={onClose}>
						{texts.done}
					</Button>
				</>
			}
		>
			<p className="mb-3 flex gap-2 rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">
				<span className="mt-0.5">{icons.warning}</span>
				{texts.shownOnce}
			</p>
			<div className="flex items-start gap-3 rounded-lg border border-line bg-sunken p-3">
				<p className="min-w-0 grow self-center">
					<span className="sr-only">{label}: </span>
					<code className="font-mono text-sm break-all select-all">{value}</code>
				</p>
				<CopyButton value={value} />
			</div>
			{children && <div className="mt-4 text-sm">{children}</div>}
		</Dialog>
	);
}
