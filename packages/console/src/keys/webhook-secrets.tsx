import type { WebhookSecret } from "@parley/contracts/batch/webhooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useScope } from "../api/session.ts";
import { AllowedButton } from "../ui/controls/allowed-button.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Select } from "../ui/controls/field.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { CodeBlock } from "../ui/data/code-block.tsx";
import { type Column, DataTable } from "../ui/data/data-table.tsx";
import { Time } from "../ui/data/time.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { SecretDialog } from "../ui/overlays/secret-dialog.tsx";
import { toastFailure } from "../ui/overlays/toast.tsx";
import { rotateWebhookSecret, webhookSecretQuery } from "./keys-api.ts";
import { webhookTexts as t } from "./texts.ts";

const GUIDE = "/docs/guides/how-to/receive-webhooks";
const MAX_SIGNING = 5;

type Row = { id: string; created_at: string; expires_at: string | null };

const columns: Column<Row>[] = [
	{
		...{ id: "id", header: t.columns.id },
		cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
	},
	{
		...{ id: "status", header: t.columns.status, width: "w-52 max-sm:w-28" },
		cell: ({ expires_at }) =>
			expires_at === null ? <Badge tone="good">{t.currentBadge}</Badge> : <Badge>{t.previousBadge}</Badge>,
	},
	{
		...{ id: "created", header: t.columns.created, from: "md", width: "w-40" },
		cell: ({ created_at }) => (
			<span className="text-soft">
				<Time value={created_at} />
			</span>
		),
	},
	{
		...{ id: "expires", header: t.columns.expires, from: "sm", width: "w-36" },
		cell: ({ expires_at }) => (
			<span className="text-soft">{expires_at === null ? "–" : <Time value={expires_at} />}</span>
		),
	},
];

type Props = {
	/** Whether the dialog is open. */
	isRotating: boolean;
	onRotate: (isOpen: boolean) => void;
};

/** The secrets that sign notifications, and their rotation. */
export function WebhookSecrets({ isRotating, onRotate }: Props) {
	const secrets = useQuery(webhookSecretQuery);
	const mayRotate = useScope("batch:write");
	if (secrets.isError) return <Failure error={secrets.error} onRetry={() => void secrets.refetch()} />;
	const rows = secrets.data && rowsOf(secrets.data);
	const isFirst = rows?.length === 0;
	const rotate = (look: "lead" | "plain") => (
		<AllowedButton scope="batch:write" look={look} onClick={() => onRotate(true)}>
			{isFirst ? t.create : t.rotate}
		</AllowedButton>
	);
	return (
		<>
			{!isFirst && (
				<div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
					<p className="min-w-64 max-w-2xl grow basis-0 text-sm text-soft">
						{t.intro}{" "}
						<a href={GUIDE} className="text-lead underline underline-offset-2">
							{t.guide}
						</a>
					</p>
					{rotate("plain")}
				</div>
			)}
			<DataTable
				label={t.list}
				columns={columns}
				rows={rows}
				rowId={({ id }) => id}
				rowName={({ id }) => id}
				expected={1}
				empty={
					<EmptyState icon={icons.webhooks} title={t.emptyTitle} action={rotate("lead")}>
						{t.empty}{" "}
						<a href={GUIDE} className="text-lead underline underline-offset-2">
							{t.guide}
						</a>
					</EmptyState>
				}
			/>
			{isRotating && mayRotate && rows && (
				<RotateDialog signing={rows?.length ?? 0} onClose={() => onRotate(false)} />
			)}
		</>
	);
}

const rowsOf = ({ current, previous }: WebhookSecret): Row[] =>
	current ? [{ ...current, expires_at: null }, ...previous] : [];

function RotateDialog({ signing, onClose }: { signing: number; onClose: () => void }) {
	const queries = useQueryClient();
	const attempt = useRef(new Map<string, string>());
	const [overlap, setOverlap] = useState("24");
	const [secret, setSecret] = useState<string>();
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const isFirst = signing === 0;

	const rotate = async () => {
		const id = attempt.current.get(overlap) ?? crypto.randomUUID();
		attempt.current.set(overlap, id);
		setBusy(true);
		setProblem(undefined);
		try {
			const rotated = await rotateWebhookSecret(isFirst ? 0 : Number(overlap), id);
			void queries.invalidateQueries({ queryKey: ["webhook-secret"] });
			if (rotated.secret !== null) return setSecret(rotated.secret);
			toastFailure(t.lost);
			onClose();
		} catch (error) {
			setProblem(error);
		} finally {
			setBusy(false);
		}
	};
	if (secret !== undefined) {
		return (
			<SecretDialog
				title={t.shownTitle}
				label={t.secretLabel}
				value={secret}
				onClose={() => {
					setSecret(undefined);
					onClose();
				}}
			>
				<p className="mb-2 text-soft">{t.useIt}</p>
				<CodeBlock
					label={t.useIt}
					text={`import { Webhook } from "standardwebhooks";\n\nconst webhook = new Webhook(process.env.WEBHOOK_SECRET);\nconst { type, data } = webhook.verify(body, headers);`}
				/>
			</SecretDialog>
		);
	}
	return (
		<Dialog
			title={isFirst ? t.createTitle : t.rotateTitle}
			description={isFirst ? t.createText : t.rotateText}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{t.cancel}</Button>
					<Button look="lead" busy={isBusy} onClick={() => void rotate()}>
						{isFirst ? t.createAction : t.action}
					</Button>
				</>
			}
		>
			{!isFirst && (
				<Select
					label={t.overlap}
					hint={signing >= MAX_SIGNING ? t.fifth : overlap === "0" ? t.overlapNone : t.overlapSome}
					options={t.overlaps}
					value={overlap}
					onChange={({ target }) => setOverlap(target.value)}
				/>
			)}
			{problem !== undefined && (
				<div className="mt-4">
					<Failure error={problem} />
				</div>
			)}
		</Dialog>
	);
}
