import type { SignInProblem } from "@parley/contracts/platform/console";

/** Describes a fault without its cause, which may hold a code, a token or a person's claims. */
function describeFault(fault: unknown): string {
	if (!(fault instanceof Error)) return String(fault);
	const { error, error_description } = fault as { error?: unknown; error_description?: unknown };
	const said = [error, error_description].filter((text) => typeof text === "string").join(": ");
	return `${fault.name}: ${fault.message}${said && ` (${said.slice(0, 300)})`}`;
}

/** A sign-in with an identity provider that opened no session. The sign-in page says why. */
export class SignInRefused extends Error {
	override readonly name = "SignInRefused";
	readonly problem: SignInProblem;

	/** What happened, for the log; absent where nothing went wrong but the person. */
	readonly fault: string | undefined;

	constructor(problem: SignInProblem, fault?: unknown) {
		super(problem);
		this.problem = problem;
		this.fault = fault === undefined ? undefined : describeFault(fault);
	}
}
