import {
	type AuthOptions,
	auth,
	type OAuthClientProvider,
	type OAuthDiscoveryState,
	type StoredOAuthClientInformation,
	type StoredOAuthTokens,
	UnauthorizedError,
} from "@modelcontextprotocol/client";

const REDIRECT_URL = "http://localhost:3000/callback";
/** Address of the client's metadata document that the suite expects. */
const METADATA_URL = "https://conformance-test.local/client-metadata.json";
const MAX_ROUNDS = 3;

type Callback = { code: string; iss: string | undefined };
export type Registration = { client_id: string; client_secret: string; issuer?: string };

/** A person at a browser who consents to everything: the redirect is followed at once, and its answer kept. */
export function createProvider(registration: Registration | undefined) {
	let client: StoredOAuthClientInformation | undefined = registration;
	let tokens: StoredOAuthTokens | undefined;
	let verifier = "";
	let discovery: OAuthDiscoveryState | undefined;
	let callback: Callback | undefined;
	const provider: OAuthClientProvider = {
		redirectUrl: REDIRECT_URL,
		clientMetadataUrl: METADATA_URL,
		clientMetadata: { client_name: "parley", redirect_uris: [REDIRECT_URL] },
		clientInformation: () => client,
		saveClientInformation: (saved) => {
			client = saved;
		},
		tokens: () => tokens,
		saveTokens: (saved) => {
			tokens = saved;
			// Found out again when these are refused: the server may have moved to another issuer by then.
			discovery = undefined;
		},
		codeVerifier: () => verifier,
		saveCodeVerifier: (saved) => {
			verifier = saved;
		},
		discoveryState: () => discovery,
		saveDiscoveryState: (saved) => {
			discovery = saved;
		},
		invalidateCredentials: (scope) => {
			if (scope === "all" || scope === "client") client = registration;
			if (scope === "all" || scope === "tokens") tokens = undefined;
			if (scope === "all" || scope === "discovery") discovery = undefined;
		},
		redirectToAuthorization: async (url) => {
			const response = await fetch(url, { redirect: "manual" });
			const params = new URL(response.headers.get("location") ?? "", url).searchParams;
			callback = { code: params.get("code") ?? "", iss: params.get("iss") ?? undefined };
		},
	};
	const takeCallback = (): Callback | undefined => {
		const taken = callback;
		callback = undefined;
		return taken;
	};
	return { provider, takeCallback };
}

/** Does the work again after each authorization that it turned out to need, a few times at most. */
export async function authorized<T>(
	{ provider, takeCallback }: ReturnType<typeof createProvider>,
	options: Pick<AuthOptions, "serverUrl" | "fetchFn">,
	work: () => Promise<T>,
): Promise<T> {
	for (let round = 1; ; round++) {
		try {
			return await work();
		} catch (error) {
			const callback = isUnauthorized(error) ? takeCallback() : undefined;
			if (!callback || round === MAX_ROUNDS) throw error;
			await auth(provider, { ...options, authorizationCode: callback.code, iss: callback.iss });
		}
	}
}

function isUnauthorized(error: unknown): boolean {
	for (let at = error; at instanceof Error; at = at.cause) if (at instanceof UnauthorizedError) return true;
	return false;
}
