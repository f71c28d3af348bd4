import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useEffect, useState } from "react";
import { call, onSessionExpired } from "../api/client.ts";
import { isStatus } from "../api/failures.ts";
import { sessionQuery, signIn, useSession } from "../api/session.ts";
import { Button } from "../ui/controls/button.tsx";
import { Input } from "../ui/controls/field.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { texts } from "./texts.ts";

/** Asks for a new session over the page as it is. Requests that were refused wait, and are repeated. */
export function SessionExpired() {
	const before = useSession();
	const queries = useQueryClient();
	const [waiting, setWaiting] = useState<PromiseWithResolvers<void>>();
	const [problem, setProblem] = useState<string>();
	const isLocal = before.session?.door === "local";

	useEffect(() => {
		let asked: PromiseWithResolvers<void> | undefined;
		onSessionExpired(() => {
			if (!asked) {
				const next = Promise.withResolvers<void>();
				asked = next;
				void next.promise.then(() => {
					asked = undefined;
				});
				setWaiting(next);
			}
			return asked.promise;
		});
	}, []);

	if (!waiting) return null;
	const goOn = async (open: () => Promise<{ organisation: { id: string } }>) => {
		try {
			const session = await open();
			if (session.organisation.id !== before.organisation.id) return setProblem(texts.otherOrganisation);
			setProblem(undefined);
			setWaiting(undefined);
			waiting.resolve();
			await queries.invalidateQueries();
		} catch (error) {
			setProblem(isLocal && isStatus(error, 401) ? texts.stillExpired : (error as Error).message);
		}
	};
	const submit = (event: SubmitEvent<HTMLFormElement>) => {
		event.preventDefault();
		const key = String(new FormData(event.currentTarget).get("key")).trim();
		void goOn(() => signIn({ key }));
	};
	const resume = () =>
		goOn(() =>
			call<Awaited<ReturnType<typeof signIn>>>("GET /v1/console/session", { handles401: true }).then(
				(session) => {
					queries.setQueryData(sessionQuery.queryKey, session);
					return session;
				},
			),
		);
	return (
		<Dialog
			title={texts.expiredTitle}
			description={isLocal ? texts.expiredLocal : texts.expired}
			onClose={() => {}}
			isSticky
		>
			{isLocal ? (
				<div className="flex flex-wrap items-center gap-2 pb-4">
					<Button onClick={() => window.open("/", "_blank", "noopener")}>{texts.newTab}</Button>
					<Button look="lead" onClick={resume}>
						{texts.goOn}
					</Button>
					<p role="alert" className="w-full text-xs text-bad empty:hidden">
						{problem}
					</p>
				</div>
			) : (
				<form method="post" onSubmit={submit} className="space-y-4 pb-4">
					<Input
						label={texts.apiKey}
						name="key"
						type="password"
						required
						autoComplete="off"
						isCode
						problem={problem}
					/>
					<Button type="submit" look="lead">
						{texts.signIn}
					</Button>
				</form>
			)}
		</Dialog>
	);
}
