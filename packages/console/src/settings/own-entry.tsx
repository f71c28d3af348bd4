import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ApiFailure, isStatus } from "../api/failures.ts";
import { useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Input } from "../ui/controls/field.tsx";
import { Badge } from "../ui/data/badge.tsx";
import { Failure } from "../ui/failure.tsx";
import { toast } from "../ui/overlays/toast.tsx";
import { Card, Details, Section } from "../ui/page.tsx";
import { texts as shared } from "../ui/texts.ts";
import { updateMe } from "./settings-api.ts";
import { texts } from "./texts.ts";

const t = texts.you;

/** Name and address of who is signed in. */
export function OwnEntry() {
	const { user, role } = useSession();
	const queries = useQueryClient();
	const [name, setName] = useState(user?.name ?? "");
	const [email, setEmail] = useState(user?.email ?? "");
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	if (!user) {
		return (
			<Section title={t.title}>
				<Card className="p-4 text-sm text-soft">{t.key}</Card>
			</Section>
		);
	}
	const isChanged = name.trim() !== (user.name ?? "") || email.trim() !== (user.email ?? "");
	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (isBusy || !isChanged) return;
		setBusy(true);
		setProblem(undefined);
		try {
			await updateMe({
				name: name.trim() || null,
				...(user.email === null && email.trim() && { email: email.trim() }),
			});
			await queries.invalidateQueries({ queryKey: ["session"] });
			void queries.invalidateQueries({ queryKey: ["users"] });
			toast(t.saved);
		} catch (error) {
			const isStale = isStatus(error, 409) && error.code === "REVISION_CONFLICT";
			setProblem(isStale ? new Error(t.stale) : error);
		} finally {
			setBusy(false);
		}
	};
	const messageFor = (field: string) =>
		problem instanceof ApiFailure ? problem.messageFor(field) : undefined;
	const isAtField = Boolean(messageFor("name") ?? messageFor("email"));
	return (
		<Section title={t.title}>
			<Card className="p-4">
				<form method="post" onSubmit={submit} className="space-y-4">
					<Input
						label={t.name}
						hint={t.nameHint}
						maxLength={200}
						autoComplete="name"
						value={name}
						problem={messageFor("name")}
						onChange={({ target }) => setName(target.value)}
					/>
					{user.email === null && (
						<Input
							label={t.email}
							hint={t.emailOnce}
							type="email"
							autoComplete="email"
							value={email}
							problem={messageFor("email")}
							onChange={({ target }) => setEmail(target.value)}
						/>
					)}
					<Details
						items={[
							...(user.email === null ? [] : [[t.email, user.email] as [string, string]]),
							[
								t.role,
								<Badge key="role" tone="lead">
									{role ? shared.roles[role] : ""}
								</Badge>,
							],
						]}
					/>
					{problem !== undefined && !isAtField && <Failure error={problem} />}
					<Button type="submit" busy={isBusy} disabled={!isChanged}>
						{t.save}
					</Button>
				</form>
			</Card>
		</Section>
	);
}
