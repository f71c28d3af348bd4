import type { Delivery } from "@parley/contracts/batch/webhooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useScope } from "../../api/session.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge, type Tone } from "../../ui/data/badge.tsx";
import { Time } from "../../ui/data/time.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Failure } from "../../ui/failure.tsx";
import { formatList } from "../../ui/format.ts";
import { icons } from "../../ui/icons.tsx";
import { toast, toastFailure } from "../../ui/overlays/toast.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { deliveriesQuery, redeliver } from "../job-api.ts";
import { texts } from "../texts.ts";

const t = texts.deliveries;
const TONES: Record<Delivery["status"], Tone> = {
	waiting: "plain",
	pending: "warn",
	delivered: "good",
	failed: "bad",
};

/** Who was told that the job has ended, and what they answered. */
export function Deliveries({ jobId }: { jobId: string }) {
	const deliveries = useQuery(deliveriesQuery(jobId));
	if (deliveries.isError)
		return <Failure error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
	if (!deliveries.data) return <SkeletonText lines={4} />;
	if (deliveries.data.length === 0)
		return (
			<EmptyState icon={icons.webhooks} title={t.none}>
				{t.noneHint}
			</EmptyState>
		);
	return (
		<ul className="space-y-4">
			{deliveries.data.map((delivery) => (
				<li key={delivery.id}>
					<DeliveryCard jobId={jobId} delivery={delivery} />
				</li>
			))}
		</ul>
	);
}

function DeliveryCard({ jobId, delivery }: { jobId: string; delivery: Delivery }) {
	const queries = useQueryClient();
	const mayWrite = useScope("batch:write");
	const again = useMutation({
		mutationFn: () => redeliver(jobId, delivery.id),
		onSuccess: () => toast(t.redelivered),
		onError: toastFailure,
		onSettled: () => queries.invalidateQueries({ queryKey: ["deliveries", jobId] }),
	});
	const { url, method, status, attempts, contents, next_attempt_at: next } = delivery;
	return (
		<Card>
			<div className="flex flex-wrap items-start gap-3 p-4">
				<div className="min-w-0 grow">
					<p className="font-mono text-sm wrap-anywhere">
						<span className="text-soft uppercase">{method}</span> {url}
					</p>
					<p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
						<Badge tone={TONES[status]} hasDot>
							{t.statuses[status]}
						</Badge>
						<span>
							{t.contents} {formatList(contents)}
						</span>
						{next && (
							<span>
								{t.nextAttempt} <Time value={next} />
							</span>
						)}
					</p>
				</div>
				{mayWrite && (status === "delivered" || status === "failed") && (
					<Button size="small" busy={again.isPending} onClick={() => again.mutate()}>
						{icons.retry}
						{t.redeliver}
					</Button>
				)}
			</div>
			{attempts.length > 0 && (
				<ol aria-label={t.attemptsOf(url)} className="border-t border-line px-4 text-sm">
					{attempts.toReversed().map((attempt) => (
						<li
							key={attempt.at}
							className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-b border-line py-2.5 last:border-b-0 sm:grid-cols-[11rem_minmax(0,1fr)_auto]"
						>
							<span className="text-soft">
								<Time value={attempt.at} exact />
							</span>
							<span className="tabular text-right whitespace-nowrap text-soft sm:order-last">
								{t.ms(attempt.duration_ms)}
							</span>
							<span className="min-w-0 max-sm:col-span-2">
								<span className={attempt.error ? "font-medium text-bad" : "font-medium text-good"}>
									{attempt.status_code ?? t.noAnswer}
								</span>{" "}
								<span className="wrap-anywhere">{attempt.error}</span>
								{attempt.response_snippet && (
									<code className="mt-1 block font-mono text-xs whitespace-pre-wrap text-soft wrap-anywhere">
										{attempt.response_snippet}
									</code>
								)}
							</span>
						</li>
					))}
				</ol>
			)}
		</Card>
	);
}
