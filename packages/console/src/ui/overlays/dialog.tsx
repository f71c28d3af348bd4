import { type ReactNode, useEffect, useId, useRef } from "react";
import { classes } from "../classes.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { icons } from "../icons.tsx";
import { texts } from "../texts.ts";

const FIRST_CONTROL = ["[data-dialog-body]", "footer"]
	.map(
		(part) =>
			`${part} :is(input, select, textarea, button, a, [tabindex="0"]):not(:disabled, [tabindex="-1"])`,
	)
	.join();
const widths = { small: "w-md", medium: "w-xl", large: "w-4xl" } as const;

type DialogProps = {
	title: ReactNode;
	/** Sentence below the title. */
	description?: ReactNode;
	onClose: () => void;
	width?: keyof typeof widths;
	/** Buttons at the bottom, the main one last. */
	actions?: ReactNode;
	/** Whether Escape and a press outside leave it open, as for a value that is shown once. */
	isSticky?: boolean;
	children?: ReactNode;
};

/** A modal dialog. The browser keeps focus inside and gives it back on closing. */
export function Dialog({
	title,
	description,
	onClose,
	width = "small",
	actions,
	isSticky = false,
	children,
}: DialogProps) {
	const element = useRef<HTMLDialogElement>(null);
	const id = useId();
	useEffect(() => {
		const dialog = element.current;
		const before = document.activeElement;
		if (!dialog?.open) dialog?.showModal();
		const first =
			dialog?.querySelector<HTMLElement>("[data-autofocus]") ??
			// The browser would focus the button that closes it.
			dialog?.querySelector<HTMLElement>(FIRST_CONTROL);
		first?.focus();
		return () => {
			dialog?.close();
			if (before instanceof HTMLElement && before.isConnected) before.focus();
		};
	}, []);
	return (
		<dialog
			ref={element}
			aria-labelledby={`${id}-title`}
			aria-describedby={description ? `${id}-description` : undefined}
			onCancel={(event) => {
				event.preventDefault();
				if (!isSticky) onClose();
			}}
			onPointerDown={(event) => {
				if (event.target === element.current && !isSticky) onClose();
			}}
			className={classes(
				"dialog m-auto max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] overflow-visible rounded-xl border border-line bg-raised text-ink shadow-float",
				widths[width],
			)}
		>
			<div className="flex max-h-[calc(100dvh-2rem)] flex-col">
				<header className="flex items-start gap-3 px-5 pt-5">
					<div className="min-w-0 grow">
						<h2 id={`${id}-title`} className="text-lg font-semibold tracking-tight wrap-anywhere">
							{title}
						</h2>
						{description && (
							<p id={`${id}-description`} className="mt-1 text-sm text-soft">
								{description}
							</p>
						)}
					</div>
					{!isSticky && (
						<IconButton
							label={texts.close}
							icon={icons.close}
							size="icon-small"
							onClick={onClose}
							className="-mt-0.5 -mr-1.5"
						/>
					)}
				</header>
				{children && (
					<div data-dialog-body="" className="min-h-0 overflow-y-auto px-5 pt-4 pb-1">
						{children}
					</div>
				)}
				<footer className="flex flex-wrap justify-end gap-2 px-5 pt-4 pb-5 empty:hidden">{actions}</footer>
			</div>
		</dialog>
	);
}

type ConfirmProps = {
	title: ReactNode;
	description: ReactNode;
	/** Label of the button that does it, as a verb and its object. */
	action: string;
	isDangerous?: boolean;
	isBusy?: boolean;
	onConfirm: () => void;
	onClose: () => void;
	children?: ReactNode;
};

/** Asks before something that cannot be undone. Focus starts on the harmless answer. */
export function Confirm({
	action,
	isDangerous = false,
	isBusy = false,
	onConfirm,
	onClose,
	...dialog
}: ConfirmProps) {
	return (
		<Dialog
			{...dialog}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose} autoFocus>
						{texts.cancel}
					</Button>
					<Button look={isDangerous ? "danger" : "lead"} busy={isBusy} onClick={onConfirm}>
						{action}
					</Button>
				</>
			}
		/>
	);
}
