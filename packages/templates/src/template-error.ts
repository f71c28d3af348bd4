export type TemplateProblem =
	/** `token` is the name as written between the braces: `$NAME` or `argument`. */
	| { kind: "missing"; token: string }
	| { kind: "malformed"; token: string }
	/** A token stands where none may. */
	| { kind: "misplaced"; token: string; place: UrlPlace }
	/** The value would change the structure around it, or cannot be sent there. */
	| { kind: "unusable"; token: string; place: UrlPlace | "header" }
	/** The text with its values is longer than `maxLength` characters. */
	| { kind: "too_long"; maxLength: number }
	| { kind: "invalid_url" };

/** `origin` is scheme, user info, host and port. */
export type UrlPlace = "origin" | "path" | "query_name" | "query_value" | "fragment";

/** A template cannot be rendered. Its text is public: it names tokens, never values. */
export class TemplateError extends Error {
	override readonly name = "TemplateError";
	/** In the order of the template; at least one. */
	readonly problems: readonly TemplateProblem[];
	/** Names without a value, each once: `$NAME` for the vault, `argument` for arguments. */
	readonly missing: readonly string[];

	constructor(problems: readonly TemplateProblem[]) {
		super([...new Set(problems.map(describe))].join("; "));
		this.problems = problems;
		this.missing = [
			...new Set(problems.flatMap((problem) => (problem.kind === "missing" ? problem.token : []))),
		];
	}
}

const PLACES = {
	origin: "scheme, host or port",
	path: "path",
	query_name: "query name",
	query_value: "query value",
	fragment: "fragment",
	header: "header",
} as const satisfies Record<UrlPlace | "header", string>;

/** One problem as a public sentence without a full stop. */
export function describe(problem: TemplateProblem): string {
	switch (problem.kind) {
		case "missing":
			return `No value for ${problem.token}`;
		case "malformed":
			return `${problem.token} is not a valid placeholder`;
		case "misplaced":
			return `${problem.token} must not stand in the ${PLACES[problem.place]}`;
		case "unusable":
			return `The value of ${problem.token} cannot be used in the ${PLACES[problem.place]}`;
		case "too_long":
			return `With its values the text is longer than ${problem.maxLength} characters`;
		case "invalid_url":
			return "The template does not make a URL";
	}
}
