import { type ReactNode, useEffect, useId } from "react";
import { classes } from "./classes.ts";

type HeaderProps = { title: string; description?: ReactNode; actions?: ReactNode; before?: ReactNode };

/** The heading of a screen, with its main actions at the end. Sets the title of the tab. */
export function PageHeader({ title, description, actions, before }: HeaderProps) {
	useTitle(title);
	return (
		<header className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3">
			<div className="min-w-0 grow">
				{before}
				<h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
				{description && <div className="mt-0.5 text-sm text-soft">{description}</div>}
			</div>
			{actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
		</header>
	);
}

export function useTitle(title: string): void {
	useEffect(() => {
		document.title = `${title} · Parley`;
	}, [title]);
}

type SectionProps = {
	title: string;
	actions?: ReactNode;
	description?: ReactNode;
	className?: string;
	children: ReactNode;
};

/** A part of a screen under a heading. */
export function Section({ title, actions, description, className, children }: SectionProps) {
	const id = useId();
	return (
		<section aria-labelledby={id} className={classes("min-w-0", className)}>
			<div className="mb-3 flex flex-wrap items-center gap-2">
				<h2 id={id} className="grow text-base font-semibold tracking-tight">
					{title}
				</h2>
				{actions}
				{description && <p className="w-full text-sm text-soft">{description}</p>}
			</div>
			{children}
		</section>
	);
}

export const Card = ({ className, children }: { className?: string; children: ReactNode }) => (
	<div className={classes("rounded-lg border border-line bg-raised shadow-edge", className)}>{children}</div>
);

/** Names and values, one pair a line. */
export function Details({ items }: { items: [name: string, value: ReactNode][] }) {
	return (
		<dl className="grid content-start items-baseline grid-cols-[minmax(6.5rem,auto)_1fr] gap-x-4 gap-y-2 text-sm">
			{items.map(([name, value]) => (
				<div key={name} className="contents">
					<dt className="text-soft">{name}</dt>
					<dd className="min-w-0 wrap-anywhere">{value}</dd>
				</div>
			))}
		</dl>
	);
}
