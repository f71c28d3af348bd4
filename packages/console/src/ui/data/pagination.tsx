import type { ReactNode } from "react";
import { IconButton } from "../controls/button.tsx";
import { formatNumber } from "../format.ts";
import { icons } from "../icons.tsx";
import { texts } from "../texts.ts";

type Props = {
	page: number;
	pages: number;
	/** How many there are in all, as a phrase: `1,240 jobs`. */
	total: ReactNode;
	onPage: (page: number) => void;
};

/** Which page of a list is shown, and the way to the others. */
export function Pagination({ page, pages, total, onPage }: Props) {
	return (
		<nav aria-label="Pages" className="mt-3 flex items-center gap-1 text-sm text-soft">
			<p className="tabular grow" aria-live="polite">
				{total}
				{pages > 1 && ` · page ${formatNumber(page)} of ${formatNumber(pages)}`}
			</p>
			{pages > 1 && (
				<>
					<IconButton
						label={texts.previous}
						icon={icons.left}
						disabled={page <= 1}
						onClick={() => onPage(page - 1)}
					/>
					<IconButton
						label={texts.next}
						icon={icons.right}
						disabled={page >= pages}
						onClick={() => onPage(page + 1)}
					/>
				</>
			)}
		</nav>
	);
}
