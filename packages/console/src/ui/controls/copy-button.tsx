import { useEffect, useState } from "react";
import { icons } from "../icons.tsx";
import { texts } from "../texts.ts";
import { Button, IconButton } from "./button.tsx";

type Props = {
	/** Text to copy. A function is called when the button is pressed. */
	value: string | (() => string);
	label?: string;
	/** Shows the icon alone. */
	isIcon?: boolean;
};

/** A button that copies and confirms it in place for two seconds. */
export function CopyButton({ value, label = texts.copy, isIcon = false }: Props) {
	const [isCopied, setCopied] = useState(false);
	useEffect(() => {
		if (!isCopied) return;
		const timer = setTimeout(() => setCopied(false), 2_000);
		return () => clearTimeout(timer);
	}, [isCopied]);
	const copy = async () => {
		await navigator.clipboard.writeText(typeof value === "string" ? value : value());
		setCopied(true);
	};
	const icon = isCopied ? icons.check : icons.copy;
	return (
		<>
			{isIcon ? (
				<IconButton label={isCopied ? texts.copied : label} icon={icon} size="icon-small" onClick={copy} />
			) : (
				<Button size="small" onClick={copy}>
					{icon}
					{isCopied ? texts.copied : label}
				</Button>
			)}
			<span role="status" className="sr-only">
				{isCopied && texts.copied}
			</span>
		</>
	);
}
