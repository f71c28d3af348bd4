import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from "oauth4webapi";

/** An OpenID Connect provider, as the settings name it. */
export type OidcSettings = {
	issuer: URL;
	clientId: string;
	/** Absent for a public client, which PKCE alone protects. */
	clientSecret: string | undefined;
	/** Origin of the console, to which the provider sends people back. */
	origin: string;
	redirectUri: string;
};

/** A Cloudflare Access application, as the settings name it. */
export type AccessSettings = { issuer: string; certsUrl: string; audience: string };

export const OIDC_CALLBACK = "/v1/console/oidc/callback";

/** Returns the provider that this deployment names; undefined when it names none. */
export function oidcSettings(env: Env & { OIDC_CLIENT_SECRET?: string }): OidcSettings | undefined {
	const issuer = URL.parse(env.OIDC_ISSUER);
	const console = URL.parse(env.CONSOLE_ORIGIN);
	if (!issuer || !console || env.OIDC_CLIENT_ID === "") return undefined;
	const { origin } = console;
	return {
		...{ issuer, clientId: env.OIDC_CLIENT_ID, clientSecret: env.OIDC_CLIENT_SECRET || undefined, origin },
		redirectUri: origin + OIDC_CALLBACK,
	};
}

/** Returns the Access application that protects the sign-in; undefined when there is none. */
export function accessSettings(env: Env): AccessSettings | undefined {
	const team = URL.parse(env.ACCESS_TEAM_DOMAIN);
	if (!team || env.ACCESS_AUD === "") return undefined;
	return { issuer: team.origin, certsUrl: `${team.origin}/cdn-cgi/access/certs`, audience: env.ACCESS_AUD };
}

/** Returns how the client proves itself at the token endpoint, in a way that the provider supports. */
export function clientAuthentication(
	{ clientSecret }: OidcSettings,
	{ token_endpoint_auth_methods_supported: supported }: { token_endpoint_auth_methods_supported?: string[] },
): ClientAuth {
	if (clientSecret === undefined) return None();
	const isPostOnly = supported?.includes("client_secret_post") && !supported.includes("client_secret_basic");
	return isPostOnly ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret);
}
