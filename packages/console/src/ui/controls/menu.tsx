import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { classes } from "../classes.ts";

type MenuProps = {
	/** Content of the button that opens it. */
	trigger: ReactNode;
	/** Read out for the button, and shown on hover. */
	label: string;
	triggerClass: string;
	/** Side of the button with which the menu lines up. */
	align?: "start" | "end";
	/** Entries: `MenuItem` and `MenuSeparator`. */
	children: ReactNode;
	isWide?: boolean;
	/** Whether the content of the button is read out instead of the label. */
	isNamedByContent?: boolean;
};

const GAP = 6;

/** A button with a menu in the browser's top layer. Arrow keys, Home, End and first letters move in it. */
export function Menu({
	trigger,
	label,
	triggerClass,
	align = "end",
	isWide = false,
	isNamedByContent = false,
	children,
}: MenuProps) {
	const id = useId();
	const button = useRef<HTMLButtonElement>(null);
	const popup = useRef<HTMLDivElement>(null);
	const [isOpen, setOpen] = useState(false);

	useLayoutEffect(() => {
		const element = popup.current;
		if (!isOpen || !element || !button.current) return;
		element.showPopover();
		place(element, button.current, align);
		itemsOf(element)[0]?.focus();
		const close = () => element.hidePopover();
		window.addEventListener("resize", close);
		return () => window.removeEventListener("resize", close);
	}, [isOpen, align]);

	const move = (event: KeyboardEvent<HTMLDivElement>) => {
		const items = itemsOf(event.currentTarget);
		const at = items.indexOf(document.activeElement as HTMLElement);
		const steps: Record<string, number> = {
			ArrowDown: at + 1,
			ArrowUp: at - 1,
			Home: 0,
			End: items.length - 1,
		};
		const byLetter =
			event.key.length === 1 && !event.metaKey && !event.ctrlKey
				? [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
						item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()),
					)
				: undefined;
		const step = steps[event.key];
		const target = step === undefined ? byLetter : items[(step + items.length) % items.length];
		if (event.key === "Tab") event.currentTarget.hidePopover();
		if (!target) return;
		event.preventDefault();
		event.stopPropagation();
		target.focus();
	};

	return (
		<>
			<button
				ref={button}
				type="button"
				aria-haspopup="menu"
				aria-expanded={isOpen}
				aria-controls={isOpen ? id : undefined}
				aria-label={isNamedByContent ? undefined : label}
				title={label}
				className={triggerClass}
				onClick={() => setOpen((was) => !was)}
				onKeyDown={(event) => {
					if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
					event.preventDefault();
					setOpen(true);
				}}
			>
				{trigger}
			</button>
			{isOpen && (
				<div
					ref={popup}
					id={id}
					popover="auto"
					role="menu"
					aria-label={label}
					tabIndex={-1}
					onToggle={(event) => {
						if (event.newState !== "closed") return;
						const hadFocus =
							event.currentTarget.contains(document.activeElement) ||
							document.activeElement === document.body;
						setOpen(false);
						if (hadFocus) button.current?.focus();
					}}
					onKeyDown={move}
					onClick={(event) => {
						if ((event.target as Element).closest("[role^=menuitem]")) event.currentTarget.hidePopover();
					}}
					className={classes(
						"m-0 rounded-lg border border-line bg-raised p-1 text-ink shadow-float",
						isWide ? "min-w-64" : "min-w-48",
					)}
				>
					{children}
				</div>
			)}
		</>
	);
}

const itemsOf = (menu: HTMLElement) => [
	...menu.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])"),
];

/** Puts the menu below its button, or above it where there is no room below. */
function place(menu: HTMLElement, button: HTMLElement, align: "start" | "end"): void {
	const anchor = button.getBoundingClientRect();
	const { width, height } = menu.getBoundingClientRect();
	const isBelow = anchor.bottom + GAP + height <= innerHeight || anchor.top < height + GAP;
	const left = align === "start" ? anchor.left : anchor.right - width;
	menu.style.position = "fixed";
	menu.style.inset = "auto";
	menu.style.top = `${isBelow ? anchor.bottom + GAP : anchor.top - GAP - height}px`;
	menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
}

const itemClass =
	"flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm outline-none hover:bg-hover focus:bg-hover aria-disabled:cursor-default aria-disabled:opacity-50";

type ItemProps = {
	icon?: ReactNode;
	shortcut?: ReactNode;
	isDangerous?: boolean;
	isDisabled?: boolean;
	/** Whether the entry is the current one of several choices. */
	isChecked?: boolean;
	onSelect: () => void;
	children: ReactNode;
};

export function MenuItem({
	icon,
	shortcut,
	isDangerous,
	isDisabled,
	isChecked,
	onSelect,
	children,
}: ItemProps) {
	return (
		<button
			type="button"
			role={isChecked === undefined ? "menuitem" : "menuitemradio"}
			aria-checked={isChecked}
			aria-disabled={isDisabled || undefined}
			tabIndex={-1}
			onClick={isDisabled ? (event) => event.stopPropagation() : onSelect}
			className={classes(itemClass, isDangerous && "text-bad")}
		>
			{icon && <span className={isDangerous ? "text-bad" : "text-soft"}>{icon}</span>}
			<span className="grow">{children}</span>
			{shortcut}
			{isChecked !== undefined && (
				<span className={classes("size-1.5 rounded-full", isChecked && "bg-lead")} />
			)}
		</button>
	);
}

export const MenuSeparator = () => <hr className="my-1 border-line" />;

export const MenuLabel = ({ children }: { children: ReactNode }) => (
	<p className="px-2 pt-1.5 pb-1 text-xs font-medium text-soft">{children}</p>
);
