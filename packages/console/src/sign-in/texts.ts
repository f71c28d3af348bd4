export const texts = {
	title: "Sign in to Parley",
	lead: "Paste an API key of your organisation. It becomes a session; the browser does not keep it.",
	key: "API key",
	placeholder: "parley_cu_…",
	submit: "Sign in",
	sso: "Continue with single sign-on",
	or: "or",
	signedOut: "You have signed out.",
	withCode: "Signing you in…",
	badCode: "This link has been used or is older than a minute. Ask for a new one, or paste a key.",
	hint: "npm start prints a key of the demo organisation. Later keys are made in the console.",
	tagline: "Tools, agents and transcripts for voice.",
};
