type EgressRule = { message: string; isRetryable: boolean };

/** The ways an outgoing request fails. The list is closed; `message` is fit for strangers and names no address. */
const EGRESS_ERRORS = {
	invalid_url: { message: "The URL is not an absolute https URL", isRetryable: false },
	invalid_request: { message: "The request is not one that may be sent", isRetryable: false },
	blocked_address: { message: "The address is not a public one", isRetryable: false },
	dns_failed: { message: "The host name could not be resolved", isRetryable: true },
	resolver_failed: { message: "The host name could not be checked", isRetryable: true },
	connect_failed: {
		message: "The host refused the connection or closed it without an answer",
		isRetryable: true,
	},
	tls_failed: { message: "The TLS handshake with the host failed", isRetryable: false },
	timeout: { message: "The host did not answer in time", isRetryable: true },
	too_many_redirects: { message: "The host redirects too often", isRetryable: false },
	body_too_large: { message: "The response is too large", isRetryable: false },
	encoded_body: {
		message:
			"The host sent an encoded body although the request asked for none; serve it without Content-Encoding",
		isRetryable: false,
	},
	network: { message: "The connection broke before the answer was complete", isRetryable: true },
} as const satisfies Record<string, EgressRule>;

export type EgressErrorCode = keyof typeof EGRESS_ERRORS;

/** Why a request was not sent or not answered. `message` is public; what the runtime said is in `cause`, for logs only. */
export class EgressError extends Error {
	override readonly name = "EgressError";
	readonly code: EgressErrorCode;
	/** Whether the same request may succeed later. */
	readonly retryable: boolean;

	constructor(code: EgressErrorCode, message?: string, cause?: unknown) {
		super(message ?? EGRESS_ERRORS[code].message, { cause });
		this.code = code;
		this.retryable = EGRESS_ERRORS[code].isRetryable;
	}
}
