import { Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { classes } from "../classes.ts";

const looks = {
	lead: "bg-lead text-on-lead shadow-edge hover:bg-lead-strong",
	plain: "border border-line-strong bg-raised text-ink shadow-edge hover:bg-hover",
	quiet: "text-soft hover:bg-hover hover:text-ink",
	danger: "bg-bad text-on-lead shadow-edge hover:bg-bad-strong",
} as const;
const sizes = {
	small: "h-7 gap-1.5 rounded-md px-2 text-xs",
	medium: "h-8 gap-1.5 rounded-md px-3 text-sm",
	icon: "size-8 rounded-md text-sm",
	"icon-small": "size-7 rounded-md text-sm",
	round: "size-10 rounded-full",
} as const;

type Look = { look?: keyof typeof looks; size?: keyof typeof sizes };

export const buttonClass = ({ look = "plain", size = "medium" }: Look = {}): string =>
	`inline-flex shrink-0 cursor-pointer items-center justify-center font-medium whitespace-nowrap select-none transition-colors disabled:cursor-default disabled:opacity-50 aria-disabled:opacity-50 ${sizes[size]} ${looks[look]}`;

type Props = ComponentProps<"button"> & Look & { busy?: boolean };

/** A button. While busy it keeps its width and focus and ignores presses. */
export function Button({ look, size, busy = false, className, children, onClick, ...props }: Props) {
	return (
		<button
			type="button"
			{...props}
			data-autofocus={props.autoFocus || undefined}
			aria-disabled={busy || props["aria-disabled"] || undefined}
			aria-busy={busy || undefined}
			onClick={busy ? (event) => event.preventDefault() : onClick}
			className={classes(buttonClass({ ...(look && { look }), ...(size && { size }) }), className)}
		>
			{children}
		</button>
	);
}

type IconProps = Omit<Props, "children" | "aria-label" | "title"> & {
	label: string;
	icon: ReactNode;
	shortcut?: string;
};

/** A button with an icon alone. Its label is read out, and shown on hover with its shortcut. */
export function IconButton({ label, icon, shortcut, size = "icon", look = "quiet", ...props }: IconProps) {
	return (
		<Button
			{...props}
			size={size}
			look={look}
			aria-label={label}
			title={shortcut ? `${label} (${shortcut})` : label}
			aria-keyshortcuts={shortcut}
		>
			{icon}
		</Button>
	);
}

/** A link to a screen that looks like a button. */
export function ButtonLink({ look, size, children, ...props }: LinkProps & Look & { children: ReactNode }) {
	return (
		<Link {...props} className={buttonClass({ ...(look && { look }), ...(size && { size }) })}>
			{children}
		</Link>
	);
}
