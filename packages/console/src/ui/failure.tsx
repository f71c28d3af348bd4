import { useEffect, useRef, useState } from "react";
import { type FailureKind, kindOf } from "../api/failure-kind.ts";
import { ApiFailure, RequestFailure } from "../api/failures.ts";
import { classes } from "./classes.ts";
import { Button, ButtonLink } from "./controls/button.tsx";
import { CopyButton } from "./controls/copy-button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { icons } from "./icons.tsx";
import { texts } from "./texts.ts";

/** The request id and the request as a command line, for a report. */
export function FailureDetails({ failure }: { failure: RequestFailure }) {
	return (
		<div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-xs text-soft">
			{failure instanceof ApiFailure && failure.requestId && (
				<span className="wrap-anywhere">
					{texts.requestId} <code className="font-mono select-all">{failure.requestId}</code>
				</span>
			)}
			<CopyButton value={() => failure.curl} label={texts.copyAsCurl} />
		</div>
	);
}

type Props = { error: unknown; onRetry?: () => void };

/** Kinds of failure for which a report helps nobody. */
const UNREPORTED: FailureKind[] = ["offline", "gone", "forbidden"];

/** Says inline why something is missing, in the place where it would be, and what can be done. */
export function Failure({ error, onRetry }: Props) {
	const kind = kindOf(error);
	const isOwn = kind === "other" || kind === "fault";
	return (
		<div
			role="alert"
			className={classes(
				"flex items-start gap-3 rounded-lg border p-4 text-sm",
				isOwn ? "border-bad/30 bg-bad-wash" : "border-warn/30 bg-warn-wash",
			)}
		>
			<span className={classes("mt-0.5", isOwn ? "text-bad" : "text-warn")}>{icons.warning}</span>
			<div className="min-w-0 grow wrap-anywhere">
				<p className="font-medium">{texts.failures[kind]}</p>
				<p className="mt-0.5 text-ink">{error instanceof Error ? error.message : String(error)}</p>
				{error instanceof RequestFailure && !UNREPORTED.includes(kind) && <FailureDetails failure={error} />}
			</div>
			{onRetry && kind !== "gone" && kind !== "forbidden" && <Retry error={error} onRetry={onRetry} />}
		</div>
	);
}

/** A button to try again. After a 429 it counts down, and then tries by itself. */
function Retry({ error, onRetry }: { error: unknown; onRetry: () => void }) {
	const wait = error instanceof ApiFailure ? (error.retryAfterS ?? 0) : 0;
	const [left, setLeft] = useState(wait);
	const latest = useRef(onRetry);
	latest.current = onRetry;
	useEffect(() => {
		if (wait === 0) return;
		const end = Date.now() + wait * 1000;
		const timer = setInterval(() => {
			const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
			setLeft(seconds);
			if (seconds > 0) return;
			clearInterval(timer);
			latest.current();
		}, 1000);
		return () => clearInterval(timer);
	}, [wait]);
	return (
		<Button size="small" onClick={onRetry} className="tabular">
			{left > 0 ? texts.tryAgainIn(left) : texts.tryAgain}
		</Button>
	);
}

export const NotFound = () => (
	<EmptyState
		title={texts.notFoundTitle}
		action={
			<ButtonLink to="/" look="lead">
				{texts.toHome}
			</ButtonLink>
		}
	>
		{texts.notFound}
	</EmptyState>
);
