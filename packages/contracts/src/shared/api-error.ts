import type { ErrorCode } from "./error-codes.ts";

/** An answer names so many rejected inputs at most; the rest is told once these are mended. */
export const MAX_FIELD_ERRORS = 100;
/** Names and constants of a caller's own making may be as long as a body, and each field would repeat them. */
const MAX_FIELD_LENGTH = 1_000;

/** One rejected input: `path` is dotted from the body root (`config.auth.secret_name`), or starts with `query.` or `path.`. */
export type FieldError = { path: string; message: string };

/** A live reference that stops a deletion. */
export type Blocker = { resource_type: string; resource_id: string; resource_name: string; location: string };

export type ApiErrorDetails = {
	fields?: FieldError[];
	blockers?: Blocker[];
	/** What the caller needs to merge a change that came too late. */
	conflict?: unknown;
	/** Response headers that belong to the refusal, such as Retry-After. */
	headers?: Record<string, string>;
	/** Whether the same request may succeed later, where this differs from the rule of the code. */
	retryable?: boolean;
	/** For the log only; never sent to the caller. */
	cause?: unknown;
};

/** The one error that services throw. `message` is public; what is internal goes into `cause`. */
export class ApiError extends Error {
	override readonly name = "ApiError";
	readonly code: ErrorCode;
	readonly fields: FieldError[] | undefined;
	readonly blockers: Blocker[] | undefined;
	readonly conflict: unknown;
	readonly headers: Record<string, string>;
	readonly retryable: boolean | undefined;

	constructor(code: ErrorCode, message: string, details: ApiErrorDetails = {}) {
		super(message, { cause: details.cause });
		this.code = code;
		this.fields = details.fields?.slice(0, MAX_FIELD_ERRORS).map(shortened);
		this.blockers = details.blockers;
		this.conflict = details.conflict;
		this.headers = details.headers ?? {};
		this.retryable = details.retryable;
	}
}

const shortened = ({ path, message }: FieldError): FieldError => ({
	path: path.slice(0, MAX_FIELD_LENGTH),
	message: message.slice(0, MAX_FIELD_LENGTH),
});

/**
 * Returns the error for a resource that does not exist, is deleted, or belongs to another organisation. All three read
 * alike: `Tool not found: 01938f5e-…`.
 * @param kind the kind as a sentence begins with it: `Tool`, `Vault entry`
 * @param id what the caller named the resource by
 */
export const notFound = (
	kind: string,
	id: string | number,
	code: "RESOURCE_NOT_FOUND" | "MODEL_NOT_FOUND" = "RESOURCE_NOT_FOUND",
): ApiError => new ApiError(code, `${kind} not found: ${id}`);
