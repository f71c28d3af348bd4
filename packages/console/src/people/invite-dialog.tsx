import type { User } from "@parley/contracts/platform/users";
import type { Role } from "@parley/contracts/shared/roles";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ApiFailure } from "../api/failures.ts";
import { doorsQuery, useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Input } from "../ui/controls/field.tsx";
import { CodeBlock } from "../ui/data/code-block.tsx";
import { Failure } from "../ui/failure.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { inviteUser } from "./people-api.ts";
import { RoleChoices } from "./role-choices.tsx";
import { inviteTexts as t } from "./texts.ts";

const GUIDE = "/docs/guides/how-to/sign-in-with-your-identity-provider";

/** Asks whom to invite in which role, and gives the words to send. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
	const queries = useQueryClient();
	const { organisation } = useSession();
	const { data: doors } = useQuery(doorsQuery);
	const [invited, setInvited] = useState<User>();
	if (!invited) {
		return (
			<InviteForm
				onClose={onClose}
				onInvited={(user) => {
					void queries.invalidateQueries({ queryKey: ["users"] });
					setInvited(user);
				}}
			/>
		);
	}
	const hasDoor = !doors || doors.oidc || doors.access;
	const email = invited.email ?? "";
	return (
		<Dialog
			title={t.doneTitle(invited.name ?? email)}
			description={t.doneText}
			onClose={onClose}
			width="medium"
			actions={
				<Button look="lead" onClick={onClose} autoFocus>
					{t.done}
				</Button>
			}
		>
			<CodeBlock
				label={t.messageLabel}
				className="[&_pre]:whitespace-pre-wrap"
				text={t.message(organisation.name, location.origin, email)}
			/>
			{!hasDoor && (
				<p className="mt-3 rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn">
					{t.noDoors}{" "}
					<a href={GUIDE} className="underline underline-offset-2">
						{t.noDoorsGuide}
					</a>
				</p>
			)}
		</Dialog>
	);
}

type FormProps = { onClose: () => void; onInvited: (user: User) => void };

function InviteForm({ onClose, onInvited }: FormProps) {
	const { role: ownRole } = useSession();
	const [email, setEmail] = useState("");
	const [name, setName] = useState("");
	const [role, setRole] = useState<Role>("developer");
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const submit = async (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		setProblem(undefined);
		try {
			onInvited(await inviteUser({ email: email.trim(), role, ...(name.trim() && { name: name.trim() }) }));
		} catch (error) {
			setProblem(error);
			setBusy(false);
		}
	};
	const emailProblem = problem instanceof ApiFailure ? problem.messageFor("email") : undefined;
	return (
		<Dialog
			title={t.title}
			onClose={onClose}
			width="medium"
			actions={
				<>
					<Button onClick={onClose}>{t.cancel}</Button>
					<Button type="submit" form="invite" look="lead" busy={isBusy} disabled={!email.includes("@")}>
						{t.submit}
					</Button>
				</>
			}
		>
			<form id="invite" method="post" onSubmit={submit} className="space-y-5 pb-1">
				<div className="grid gap-4 sm:grid-cols-2">
					<Input
						label={t.email}
						hint={t.emailHint}
						placeholder={t.emailPlaceholder}
						type="email"
						required
						autoFocus
						autoComplete="off"
						value={email}
						problem={emailProblem}
						onChange={({ target }) => setEmail(target.value)}
					/>
					<Input
						label={t.name}
						hint={t.nameHint}
						maxLength={200}
						autoComplete="off"
						value={name}
						onChange={({ target }) => setName(target.value)}
					/>
				</div>
				<fieldset>
					<legend className="mb-1.5 text-sm font-medium">{t.role}</legend>
					<div className="grid gap-2 sm:grid-cols-2">
						<RoleChoices
							role={role}
							isDisabled={(one) => one === "owner" && ownRole !== "owner"}
							onChoose={setRole}
						/>
					</div>
				</fieldset>
				{problem !== undefined && !emailProblem && <Failure error={problem} />}
			</form>
		</Dialog>
	);
}
