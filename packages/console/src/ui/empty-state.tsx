import type { ReactNode } from "react";

type Props = { icon?: ReactNode; title: string; action?: ReactNode; children?: ReactNode };

/** Content of an empty list: what it is for, and the first step. */
export function EmptyState({ icon, title, action, children }: Props) {
	return (
		<div className="mx-auto flex max-w-md flex-col items-center px-4 py-14 text-center">
			{icon && (
				<span className="mb-4 grid size-10 place-items-center rounded-lg border border-line bg-raised text-soft shadow-edge">
					{icon}
				</span>
			)}
			<h2 className="text-base font-semibold">{title}</h2>
			{children && <div className="mt-1.5 text-sm text-balance text-soft">{children}</div>}
			{action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
		</div>
	);
}
