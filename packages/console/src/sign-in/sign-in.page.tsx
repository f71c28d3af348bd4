import type { SignInProblem } from "@parley/contracts/platform/console";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { isStatus } from "../api/failures.ts";
import { ACCESS_START, doorsQuery, OIDC_START, signIn } from "../api/session.ts";
import { Logo } from "../frame/logo.tsx";
import { Button, buttonClass } from "../ui/controls/button.tsx";
import { Input } from "../ui/controls/field.tsx";
import { useTitle } from "../ui/page.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/sign-in");

export function SignInPage() {
	const { to, signed_out: isSignedOut, problem: refusal } = route.useSearch();
	const router = useRouter();
	const queries = useQueryClient();
	const { data: doors } = useQuery(doorsQuery);
	const isOffered = doors?.oidc || doors?.access;
	const [problem, setProblem] = useState<string>();
	const [busy, setBusy] = useState(false);
	const code = useRef(takeCode());
	useTitle(texts.submit);

	async function enter(proof: Parameters<typeof signIn>[0]) {
		setBusy(true);
		setProblem(undefined);
		try {
			await signIn(proof);
			queries.clear();
			router.history.push(ownPath(to));
		} catch (error) {
			setProblem("code" in proof && isStatus(error, 401) ? texts.badCode : (error as Error).message);
			setBusy(false);
		}
	}
	function submit(event: SubmitEvent<HTMLFormElement>) {
		event.preventDefault();
		if (!busy) void enter({ key: String(new FormData(event.currentTarget).get("key")).trim() });
	}
	// biome-ignore lint/correctness/useExhaustiveDependencies: a code is used once
	useEffect(() => {
		const given = code.current;
		code.current = undefined;
		if (given) void enter({ code: given });
	}, []);

	return (
		<main className="grid min-h-dvh place-items-center bg-sunken p-5">
			<div className="w-full max-w-sm">
				<p className="mb-6 flex items-center justify-center gap-2 text-lg font-semibold tracking-tight">
					<Logo className="size-6" />
					Parley
				</p>
				<form
					method="post"
					onSubmit={submit}
					className="rounded-xl border border-line bg-raised p-6 shadow-float"
				>
					<h1 className="text-lg font-semibold tracking-tight">{texts.title}</h1>
					<p role="status" className="text-sm text-good empty:hidden">
						{isSignedOut && !busy && texts.signedOut}
					</p>
					{refusal && !busy && (
						<p role="alert" className="mt-2 text-sm text-bad">
							{explain(refusal)}
						</p>
					)}
					{isOffered && (
						<>
							{doors?.oidc && <DoorLink start={OIDC_START} to={to} label={texts.sso} />}
							{doors?.access && <DoorLink start={ACCESS_START} to={to} label={texts.access} />}
							<p className="mt-4 flex items-center gap-3 text-xs text-soft before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
								{texts.or}
							</p>
						</>
					)}
					<p className="mt-1 mb-4 text-sm text-soft">{texts.lead}</p>
					<Input
						label={texts.key}
						name="key"
						type="password"
						required
						isCode
						autoComplete="off"
						spellCheck={false}
						autoFocus
						placeholder={texts.placeholder}
						problem={problem}
					/>
					<Button type="submit" look={isOffered ? "plain" : "lead"} busy={busy} className="mt-4 w-full">
						{texts.submit}
					</Button>
				</form>
				<p className="mt-5 text-center text-xs text-balance text-soft">{texts.hint}</p>
			</div>
		</main>
	);
}

/** Explains why an identity provider signed nobody in. */
const explain = (problem: string): string =>
	Object.hasOwn(texts.refusals, problem)
		? texts.refusals[problem as SignInProblem]
		: texts.refusals.provider_failed;

/** A link to sign in somewhere else. It leaves the console, so it is no link of the router. */
function DoorLink({ start, to, label }: { start: string; to: string | undefined; label: string }) {
	return (
		<a
			href={`${start}?${new URLSearchParams({ to: ownPath(to) })}`}
			className={`mt-4 w-full ${buttonClass({ look: "lead" })}`}
		>
			{label}
		</a>
	);
}

/** Takes a one-time code out of the address, where it must not stay. */
function takeCode(): string | undefined {
	const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? undefined;
	if (code) history.replaceState(history.state, "", location.pathname + location.search);
	return code;
}

/** Returns a path of the console to go to; home for anything else. */
const ownPath = (to: string | undefined): string => (to && /^\/(?![/\\])/.test(to) ? to : "/");
