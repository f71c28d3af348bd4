import {
	discoverOAuthProtectedResourceMetadata,
	extractWWWAuthenticateParams,
} from "@modelcontextprotocol/client";
import type { McpAuth } from "@parley/contracts/agents/mcp-servers";
import { ConnectFailure } from "./connect-failure.ts";
import { createExchange, type ExchangeOptions, noObservations } from "./exchange.ts";

const METADATA_MS = 3_000;
/** Maximum length of a challenge that is parsed. The library's patterns take quadratic time. */
const MAX_CHALLENGE_CHARS = 4_096;

type RefusedRequest = Pick<ExchangeOptions, "rules" | "fetch" | "deadline" | "trace"> & {
	url: URL;
	auth: McpAuth;
	/** `WWW-Authenticate` header of the answer. */
	challenge: string | null | undefined;
};

/**
 * Explains why a server refused the credentials. Its challenge (RFC 6750) or metadata (RFC 9728) may require a sign-in with
 * OAuth, or the token may lack a scope. Returns any other failure unchanged.
 */
export async function explainRefusal(
	failure: ConnectFailure,
	refused: RefusedRequest,
): Promise<ConnectFailure> {
	const { httpStatus } = failure.details;
	const { auth } = refused;
	const challenge = readChallenge(refused.challenge);
	const explained = (reason: string, advice: string): ConnectFailure =>
		new ConnectFailure("unauthorized", reason, { ...failure.details, advice });
	if (challenge.error === "insufficient_scope") {
		const scope = challenge.scope === undefined ? "a scope" : `the scope ${challenge.scope}`;
		return explained(
			`The token lacks ${scope}`,
			`Get an access token that has it, and ${rotationAdvice(auth)}.`,
		);
	}
	if (httpStatus !== 401) return failure;
	const issuer = await findIssuer(refused, challenge.resourceMetadataUrl);
	if (issuer === undefined) return failure;
	const oauth = `OAuth${issuer && ` at ${issuer}`}`;
	if (auth.type === "none") return explained(`The server requires a sign-in with ${oauth}`, SIGN_IN);
	const error = challenge.error === undefined ? "" : ` (${challenge.error})`;
	const reason = `The server refused the credentials with HTTP 401${error}. It expects an access token from a sign-in with ${oauth}`;
	return explained(reason, `Get a new access token, and ${rotationAdvice(auth)}.`);
}

const SIGN_IN =
	"Parley does not sign in by itself. Get an access token or an API key from the server's operator, keep it as a secret in the vault, and name that secret in auth with type bearer.";

const rotationAdvice = (auth: McpAuth): string =>
	auth.type === "none" ? "name it in auth with type bearer" : `rotate the secret ${auth.secret_name}`;

const readChallenge = (header: string | null | undefined) =>
	extractWWWAuthenticateParams(
		new Response(null, {
			headers: header ? { "www-authenticate": header.slice(0, MAX_CHALLENGE_CHARS) } : {},
		}),
	);

/**
 * Finds the authorization server.
 * @returns "" when the server requires OAuth but names none; undefined when it does not require OAuth.
 */
async function findIssuer(
	refused: RefusedRequest,
	metadataUrl: URL | undefined,
): Promise<string | undefined> {
	const { url, deadline, trace, rules, fetch } = refused;
	const shared = { transport: "streamable_http", secretHeaders: [], rules, fetch, deadline, trace } as const;
	const exchange = createExchange(shared, noObservations());
	try {
		const metadata = await deadline.race(
			discoverOAuthProtectedResourceMetadata(url, { resourceMetadataUrl: metadataUrl }, (to, init) =>
				exchange(to, { ...init, signal: AbortSignal.timeout(METADATA_MS) }),
			),
		);
		return metadata.authorization_servers?.[0]?.replace(/\/$/, "") ?? "";
	} catch {
		return metadataUrl && "";
	}
}
