import { ApiFailure, RequestFailure } from "../api/failures.ts";
import { Button, ButtonLink } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";
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

/** Says inline why something is missing, in the place where it would be. */
export function Failure({ error, onRetry }: Props) {
	const message = error instanceof Error ? error.message : String(error);
	return (
		<div
			role="alert"
			className="flex items-start gap-3 rounded-lg border border-bad/30 bg-bad-wash p-4 text-sm"
		>
			<span className="mt-0.5 text-bad">{icons.warning}</span>
			<div className="min-w-0 grow wrap-anywhere">
				<p className="font-medium">{texts.failed}</p>
				<p className="mt-0.5 text-ink">{message}</p>
				{error instanceof RequestFailure && <FailureDetails failure={error} />}
			</div>
			{onRetry && (
				<Button size="small" onClick={onRetry}>
					{texts.tryAgain}
				</Button>
			)}
		</div>
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
