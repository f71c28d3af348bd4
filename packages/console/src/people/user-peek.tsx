import type { User } from "@parley/contracts/platform/users";
import type { Role } from "@parley/contracts/shared/roles";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isStatus } from "../api/failures.ts";
import { useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { Time } from "../ui/data/time.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { Confirm } from "../ui/overlays/dialog.tsx";
import { PeekPanel } from "../ui/overlays/peek-panel.tsx";
import { toast, toastFailure } from "../ui/overlays/toast.tsx";
import { Details } from "../ui/page.tsx";
import { texts as shared } from "../ui/texts.ts";
import { useActorNames } from "./actors.ts";
import { removeUser, updateUser, userName } from "./people-api.ts";
import { RoleChoices } from "./role-choices.tsx";
import { inviteTexts, texts } from "./texts.ts";

const t = texts.peek;

/** A person beside the list, with the role and its change. */
export function UserPeek({ user, onClose }: { user: User; onClose: () => void }) {
	const nameOf = useActorNames();
	const { user: self, role: ownRole, organisation } = useSession();
	const [isRemoving, setRemoving] = useState(false);
	const isInvited = user.status === "invited";
	const isSelf = self?.id === user.id;
	const mayChange = user.role !== "owner" || ownRole === "owner";
	return (
		<PeekPanel title={userName(user, texts.noName)} onClose={onClose}>
			<Details
				items={[
					[t.email, user.email ?? texts.noEmail],
					[t.status, isInvited ? texts.invited : t.active],
					[t.invitedAt, <Time key="created" value={user.created_at} exact />],
					[t.by, nameOf(user.created_by)],
					[t.seen, user.last_sign_in_at ? <Time key="seen" value={user.last_sign_in_at} /> : t.never],
				]}
			/>
			{isInvited && user.email && (
				<div className="mt-4">
					<CopyButton
						label={t.copyInvitation}
						value={inviteTexts.message(organisation.name, location.origin, user.email)}
					/>
				</div>
			)}
			<RoleForm user={user} mayChange={mayChange} isSelf={isSelf} />
			{mayChange && (
				<div className="mt-6 border-t border-line pt-5">
					<Button onClick={() => setRemoving(true)}>
						<span className="text-bad">{icons.trash}</span>
						{isInvited ? t.removeInvitation : t.remove}
					</Button>
				</div>
			)}
			{isRemoving && (
				<RemoveUser user={user} isSelf={isSelf} onClose={() => setRemoving(false)} onRemoved={onClose} />
			)}
		</PeekPanel>
	);
}

type FormProps = { user: User; mayChange: boolean; isSelf: boolean };

function RoleForm({ user, mayChange, isSelf }: FormProps) {
	const queries = useQueryClient();
	const { role: ownRole } = useSession();
	const [role, setRole] = useState<Role>(user.role);
	const [problem, setProblem] = useState<unknown>();
	const [isBusy, setBusy] = useState(false);
	const save = async () => {
		setBusy(true);
		setProblem(undefined);
		try {
			await updateUser(user.id, { role });
			toast(t.roleChanged(userName(user, texts.noName), shared.roles[role]));
			if (isSelf) void queries.invalidateQueries({ queryKey: ["session"] });
		} catch (error) {
			// Somebody else was first: what they made of it is shown, and what was chosen here stays chosen.
			setProblem(
				isStatus(error, 404) || (isStatus(error, 409) && error.code === "REVISION_CONFLICT")
					? t.stale
					: error,
			);
		} finally {
			setBusy(false);
			await queries.invalidateQueries({ queryKey: ["users"] });
		}
	};
	return (
		<form
			method="post"
			className="mt-6"
			onSubmit={(event) => {
				event.preventDefault();
				if (!isBusy) void save();
			}}
		>
			<fieldset>
				<legend className="mb-2 text-sm font-semibold">{t.role}</legend>
				<div className="space-y-2">
					<RoleChoices
						role={role}
						isDisabled={(one) => !mayChange || (one === "owner" && ownRole !== "owner")}
						onChoose={setRole}
					/>
				</div>
			</fieldset>
			{!mayChange && <p className="mt-2 text-xs text-soft">{t.ownersOnly}</p>}
			{role !== user.role && (
				<div className="mt-3 flex flex-wrap items-center gap-3">
					<Button type="submit" look="lead" busy={isBusy}>
						{t.saveRole}
					</Button>
					{isSelf && <p className="text-xs text-warn">{t.ownRole}</p>}
				</div>
			)}
			{problem !== undefined && (
				<div className="mt-3">
					<Failure error={problem} />
				</div>
			)}
		</form>
	);
}

type RemoveProps = { user: User; isSelf: boolean; onClose: () => void; onRemoved: () => void };

function RemoveUser({ user, isSelf, onClose, onRemoved }: RemoveProps) {
	const queries = useQueryClient();
	const [isBusy, setBusy] = useState(false);
	const r = texts.remove;
	const name = userName(user, texts.noName);
	const isInvited = user.status === "invited";
	const remove = async () => {
		setBusy(true);
		try {
			await removeUser(user.id).catch((error) => {
				if (!isStatus(error, 404)) throw error;
			});
			toast(r.done(name));
			onRemoved();
			await queries.invalidateQueries({ queryKey: ["users"] });
		} catch (error) {
			toastFailure(error);
			onClose();
		} finally {
			setBusy(false);
		}
	};
	return (
		<Confirm
			title={isInvited ? r.withdrawTitle(name) : r.title(name)}
			description={isInvited ? r.withdrawText : r.text}
			action={isInvited ? r.withdraw : r.action}
			isDangerous
			isBusy={isBusy}
			onConfirm={() => void remove()}
			onClose={onClose}
		>
			{isInvited ? null : (
				<div className="space-y-2 text-sm">
					{isSelf && <p className="font-medium text-bad">{r.own}</p>}
					<p className="text-soft">{r.keys}</p>
				</div>
			)}
		</Confirm>
	);
}
