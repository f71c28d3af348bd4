import type { BuiltRequest } from "./built-request.ts";

type FieldError = { path: string; message: string };
export type Blocker = { resource_type: string; resource_id: string; resource_name: string; location: string };

/** A request that went wrong, with what a person needs to report or repeat it. */
export abstract class RequestFailure extends Error {
	readonly request: BuiltRequest;
	constructor(message: string, request: BuiltRequest, cause?: unknown) {
		super(message, { cause });
		this.request = request;
	}

	/** The request as a command line, with the key as a variable of the shell. */
	get curl(): string {
		const { url, init, isSecret } = this.request;
		const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
		const parts = [`curl -X ${init.method} ${quote(new URL(url, location.origin).href)}`];
		parts.push(`-H "Authorization: Bearer $PARLEY_API_KEY"`);
		if (init.body !== undefined) {
			parts.push(`-H 'Content-Type: application/json'`);
			parts.push(`-d ${isSecret ? "@body.json" : quote(String(init.body))}`);
		}
		return parts.join(" \\\n  ");
	}
}

/** The API could not be reached. */
export class ConnectionFailure extends RequestFailure {
	constructor(request: BuiltRequest, cause: unknown) {
		super("Parley cannot be reached. Check your connection; your input is kept.", request, cause);
	}
}

/** The API answered with an error. */
export class ApiFailure extends RequestFailure {
	readonly status: number;
	/** Code of the closed table; absent on the batch API, whose errors are sentences. */
	readonly code: string | undefined;
	readonly requestId: string | undefined;
	/** Seconds after which the API takes the request again, if it said so. */
	readonly retryAfterS: number | undefined;
	readonly fields: FieldError[];
	readonly blockers: Blocker[];

	private constructor(response: Response, request: BuiltRequest, answer: ErrorAnswer) {
		const error = typeof answer.error === "object" ? answer.error : undefined;
		const sentence = typeof answer.error === "string" ? answer.error : undefined;
		super(error?.message ?? sentence ?? `The server answered ${response.status}.`, request);
		this.status = response.status;
		this.code = error?.code;
		this.requestId = error?.request_id ?? response.headers.get("x-request-id") ?? undefined;
		const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
		this.retryAfterS = Number.isFinite(retryAfter) ? retryAfter : undefined;
		this.fields = error?.fields ?? [];
		this.blockers = error?.blockers ?? [];
	}

	static async of(response: Response, request: BuiltRequest): Promise<ApiFailure> {
		const answer = await response.json().catch(() => ({}));
		return new ApiFailure(response, request, answer as ErrorAnswer);
	}

	/** Message for one field of a form; undefined when the failure is not about it. */
	messageFor(path: string): string | undefined {
		return this.fields.find((field) => field.path === path)?.message;
	}
}

type ErrorAnswer = {
	error?:
		| string
		| { code?: string; message?: string; request_id?: string; fields?: FieldError[]; blockers?: Blocker[] };
};

export const isStatus = (error: unknown, ...statuses: number[]): error is ApiFailure =>
	error instanceof ApiFailure && statuses.includes(error.status);

/** Whether asking again may help: the connection, or a fault of the server. */
export const isPassing = (error: unknown): boolean =>
	error instanceof ConnectionFailure || (error instanceof ApiFailure && error.status >= 500);
