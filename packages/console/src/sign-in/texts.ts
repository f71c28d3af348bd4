export const texts = {
	title: "Sign in to Parley",
	lead: "Paste an API key of your organisation. It becomes a session; the browser does not keep it.",
	key: "API key",
	placeholder: "parley_cu_…",
	submit: "Sign in",
	sso: "Continue with single sign-on",
	access: "Continue with Cloudflare Access",
	or: "or",
	refusals: {
		cancelled: "You did not finish signing in. Try again, or paste a key.",
		expired: "Signing in took longer than ten minutes, or began in another browser. Try again.",
		not_invited: "Nobody has invited this account. Ask an admin of your organisation for an invitation.",
		email_unverified:
			"Your identity provider has not verified your e-mail address. Verify it there, then try again.",
		provider_failed:
			"Your identity provider could not sign you in. Try again. If it happens again, tell an admin.",
		unavailable: "This way to sign in is not set up. Paste a key instead.",
	},
	signedOut: "You have signed out.",
	withCode: "Signing you in…",
	badCode: "This link has been used or is older than a minute. Ask for a new one, or paste a key.",
	hint: "npm start prints a key of the demo organisation. Later keys are made in the console.",
	tagline: "Tools, agents and transcripts for voice.",
};
