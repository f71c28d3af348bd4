import type { LinkProps } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { ButtonLink, IconButton } from "../controls/button.tsx";
import { useShortcuts } from "../controls/shortcuts.ts";
import { icons } from "../icons.tsx";
import { texts } from "../texts.ts";

type Props = {
	title: string;
	/** Screen of the row, if it has one. */
	link?: LinkProps;
	onClose: () => void;
	children: ReactNode;
};

/** A preview of the current row beside its list. The list keeps the focus, so that J and K go on. */
export function PeekPanel({ title, link, onClose, children }: Props) {
	const panel = useRef<HTMLElement>(null);
	useShortcuts([
		{ keys: "arrowright", label: texts.enterPeek, group: texts.peek, run: () => panel.current?.focus() },
		{ keys: "escape", label: texts.closePeek, group: texts.peek, run: onClose },
	]);
	return (
		<aside
			ref={panel}
			tabIndex={-1}
			aria-label={title}
			className="slide-in fixed outline-none inset-y-0 right-0 z-20 flex w-full flex-col border-l border-line bg-raised shadow-float sm:w-[26rem]"
		>
			<header className="flex items-center gap-2 border-b border-line py-3 pr-3 pl-5">
				<h2 className="min-w-0 grow truncate text-base font-semibold">{title}</h2>
				{link && (
					<ButtonLink {...link} size="small">
						{texts.openFull}
					</ButtonLink>
				)}
				<IconButton
					label={texts.closePeek}
					shortcut="Escape"
					icon={icons.close}
					size="icon-small"
					onClick={onClose}
				/>
			</header>
			<div className="min-h-0 grow overflow-y-auto p-5">{children}</div>
		</aside>
	);
}
