import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { EgressError } from "@parley/egress/egress-error";
import { parseRetryAfter } from "@parley/egress/retry";
import { ConnectFailure, fromEgressError } from "./connect-failure.ts";

/** End of the latest exchange with the server, as observed below the client library. */
export type ExchangeOutcome = {
	failure?: ConnectFailure | undefined;
	/** Status of an unsuccessful answer. */
	status?: number | undefined;
	retryAfter?: string | null | undefined;
	/** `WWW-Authenticate` header of that answer. */
	challenge?: string | null | undefined;
};

/** Converts an error of the client library, or one of our own, into the failure that the server's owner reads. */
export function toFailure(error: unknown, observed: ExchangeOutcome, now: Date): ConnectFailure {
	const chain = [...causes(error)];
	const own = chain.find((each) => each instanceof ConnectFailure);
	if (own) return own;
	if (observed.failure) return observed.failure;
	const egress = chain.find((each) => each instanceof EgressError);
	if (egress) return fromEgressError(egress);
	if (chain.some((each) => SdkError.isInstance(each) && each.code === SdkErrorCode.RequestTimeout))
		return new ConnectFailure("timeout", "The server did not answer in time");
	if (observed.status !== undefined)
		return fromStatus(observed.status, observed.retryAfter, now, quotedText(chain));
	const protocol = chain.find((each) => ProtocolError.isInstance(each));
	if (protocol) return fromProtocolError(protocol);
	return fromMessage(chain);
}

/** Returns true when detecting the era failed without an answer, so that a plain handshake may still succeed. */
export const isInconclusive = (failure: ConnectFailure): boolean =>
	failure.code === "timeout" ||
	(failure.code === "http_error" && (failure.details.httpStatus ?? 0) >= 500) ||
	(failure.code === "connect_failed" && failure.details.stage === undefined);

function fromStatus(
	status: number,
	retryAfter: string | null | undefined,
	now: Date,
	quotedAnswer: string,
): ConnectFailure {
	const retryAfterMs = parseRetryAfter(retryAfter, now);
	const quote = quotedAnswer === "" ? "" : `: ${quotedAnswer}`;
	if (status === 401 || status === 403)
		return new ConnectFailure(
			"unauthorized",
			`The server refused the credentials with HTTP ${status}${quote}`,
			{ httpStatus: status },
		);
	const wait =
		retryAfterMs === undefined ? "" : `, and asked to wait ${Math.ceil(retryAfterMs / 1000)} seconds`;
	return new ConnectFailure("http_error", `The server answered HTTP ${status}${wait}${quote}`, {
		httpStatus: status,
		...(retryAfterMs !== undefined && { retryAfterMs }),
	});
}

function fromProtocolError({ code, message }: ProtocolError): ConnectFailure {
	const text = `The server answered with error ${code}: ${message}`;
	const isContract =
		code === ProtocolErrorCode.UnsupportedProtocolVersion || code === ProtocolErrorCode.MethodNotFound;
	return new ConnectFailure(isContract ? "unsupported_contract" : "protocol_error", text);
}

function fromMessage(chain: unknown[]): ConnectFailure {
	const message = chain.find((each) => each instanceof Error)?.message ?? "";
	const version = /protocol version is not supported: (.*)$/s.exec(message)?.[1];
	if (version !== undefined)
		return new ConnectFailure("unsupported_contract", `The server speaks protocol version ${version} only`);
	const content = chain.find(
		(each) => SdkError.isInstance(each) && each.code === SdkErrorCode.ClientHttpUnexpectedContent,
	);
	if (SdkError.isInstance(content)) {
		const { contentType } = content.data as { contentType: string | null };
		const what = contentType === null ? "no type" : `type ${contentType}`;
		return new ConnectFailure(
			"protocol_error",
			`The server answered with content of ${what}, which MCP does not use`,
		);
	}
	return new ConnectFailure("protocol_error", "The server's answer does not follow the MCP protocol");
}

/** Returns the plain text that came with the status; "" for an HTML page. */
function quotedText(chain: unknown[]): string {
	for (const each of chain) {
		const data = SdkError.isInstance(each) ? (each.data as { text?: unknown } | undefined) : undefined;
		if (typeof data?.text === "string" && !data.text.trimStart().startsWith("<")) return data.text;
	}
	return "";
}

function* causes(error: unknown): Generator<unknown> {
	for (let at = error, depth = 0; at !== undefined && depth < 8; depth++) {
		yield at;
		at = at instanceof Error ? at.cause : undefined;
	}
}
