import type {
	AuthorizationDecision,
	AuthorizationQuery,
	AuthorizationRequest,
	DecideAuthorization,
} from "@parley/contracts/platform/oauth";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { Logo } from "../frame/logo.tsx";
import { Button } from "../ui/controls/button.tsx";
import { Failure } from "../ui/failure.tsx";
import { icons } from "../ui/icons.tsx";
import { useTitle } from "../ui/page.tsx";
import { SkeletonText } from "../ui/skeleton.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/connect");

/** Asks a person whether an application gets access. The authorization endpoint sends browsers here. */
export function ConnectPage() {
	const { request: encoded } = route.useSearch();
	const request = decode(encoded);
	useTitle(texts.title);
	return (
		<main className="grid min-h-dvh place-items-center bg-sunken p-5">
			<div className="w-full max-w-md">
				<p className="mb-6 flex items-center justify-center gap-2 text-lg font-semibold tracking-tight">
					<Logo className="size-6" />
					Parley
				</p>
				<div className="rounded-xl border border-line bg-raised p-6 shadow-float">
					{request === undefined ? <Broken error={new Error(texts.broken)} /> : <Consent request={request} />}
				</div>
			</div>
		</main>
	);
}

function Consent({ request }: AuthorizationQuery) {
	const asked = useQuery({
		queryKey: ["authorization", request],
		queryFn: () => call<AuthorizationRequest>("GET /v1/oauth/authorization", { query: { request } }),
		retry: false,
	});
	const decide = useMutation({
		mutationFn: (decision: DecideAuthorization["decision"]) =>
			call<AuthorizationDecision>("POST /v1/oauth/authorization", { body: { request, decision } }),
		onSuccess: ({ redirect_to }) => location.assign(redirect_to),
	});
	if (asked.error) return <Broken error={asked.error} />;
	if (!asked.data) return <SkeletonText lines={6} />;
	const isBusy = decide.isPending || decide.isSuccess;
	return (
		<>
			<h1 className="text-lg font-semibold tracking-tight wrap-anywhere">
				{texts.asks(asked.data.client.name)}
			</h1>
			<p className="mt-1 text-sm text-soft">{texts.unverified}</p>
			<Facts asked={asked.data} />
			<p className="mt-4 text-sm text-soft">{texts.limits}</p>
			{decide.error && (
				<div className="mt-4">
					<Failure error={decide.error} />
				</div>
			)}
			<div className="mt-5 flex justify-end gap-2">
				<Button busy={isBusy} onClick={() => decide.mutate("deny")}>
					{texts.deny}
				</Button>
				<Button look="lead" busy={isBusy} onClick={() => decide.mutate("approve")}>
					{texts.approve}
				</Button>
			</div>
		</>
	);
}

const Broken = ({ error }: { error: Error }) => (
	<>
		<h1 className="mb-4 text-lg font-semibold tracking-tight">{texts.title}</h1>
		<Failure error={error} />
	</>
);

function Facts({ asked }: { asked: AuthorizationRequest }) {
	const { organisation, user, actor } = useSession();
	const { agent, url } = asked.resource;
	return (
		<>
			<dl className="mt-5 space-y-3 text-sm">
				<Fact name={agent ? texts.agent : texts.mayDo}>
					{agent ? (agent.name ?? texts.agentGone) : texts.management}
				</Fact>
				<Fact name={texts.organisation}>{organisation.name}</Fact>
				<Fact name={texts.endpoint}>
					<code className="font-mono text-xs">{url}</code>
				</Fact>
				<Fact name={texts.scopes}>
					{agent ? texts.agentScope : <code className="font-mono text-xs">{asked.scopes.join(" ")}</code>}
				</Fact>
				<Fact name={texts.sentTo}>
					{asked.redirect_is_local ? texts.local : <strong>{asked.redirect_host}</strong>}
				</Fact>
			</dl>
			{asked.redirect_is_local && (
				<p className="mt-4 flex gap-2 rounded-lg border border-line bg-sunken p-3 text-sm">
					<span className="mt-0.5 text-soft">{icons.warning}</span>
					{texts.localWarning}
				</p>
			)}
			<p className="mt-4 text-sm text-soft">{texts.signedInAs(user?.name ?? user?.email ?? actor)}</p>
		</>
	);
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
	<div>
		<dt className="text-xs text-soft">{name}</dt>
		<dd className="mt-0.5 wrap-anywhere">{children}</dd>
	</div>
);

/** Returns the application's request, which the address carries in base64url: the router would rewrite its values. */
function decode(encoded: string | undefined): string | undefined {
	try {
		const text = (encoded ?? "").replace(/^r\./, "").replaceAll("-", "+").replaceAll("_", "/");
		return new TextDecoder().decode(Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0))) || undefined;
	} catch {
		return undefined;
	}
}
