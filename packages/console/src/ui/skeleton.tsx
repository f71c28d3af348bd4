import { classes } from "./classes.ts";
import { texts } from "./texts.ts";

/** A grey bar where text will be. Give it the size of that text. */
export const Skeleton = ({ className }: { className?: string }) => (
	<span className={classes("skeleton block rounded-sm", className)} aria-hidden="true" />
);

/** Lines of text that are being loaded. */
export const SkeletonText = ({ lines = 3 }: { lines?: number }) => (
	<div className="space-y-3">
		<span className="sr-only">{texts.loading}</span>
		{Array.from({ length: lines }, (_, line) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
			<Skeleton key={line} className={classes("h-4", line % 3 === 2 ? "w-2/3" : "w-full")} />
		))}
	</div>
);
