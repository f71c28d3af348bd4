import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { EgressError } from "@parley/egress/egress-error";
import { parseRetryAfter } from "@parley/egress/retry";
import { ConnectFailure, fromEgress } from "./connect-failure.ts";

/** What the latest exchange with the server was seen to end in, whatever the library made of it. */
export type Seen = {
	failure?: ConnectFailure | undefined;
	/** Of an answer that was none of success. */
	status?: number | undefined;
	retryAfter?: string | null | undefined;
	/** Its `WWW-Authenticate` header. */
	challenge?: string | null | undefined;
};

/** An error of the client library, or of our own, as what it means to the owner of the server. */
export function toFailure(error: unknown, seen: Seen, now: Date): ConnectFailure {
	const chain = [...causes(error)];
	const own = chain.find((each) => each instanceof ConnectFailure);
	if (own) return own;
	if (seen.failure) return seen.failure;
	const egress = chain.find((each) => each instanceof EgressError);
	if (egress) return fromEgress(egress);
	if (chain.some((each) => SdkError.isInstance(each) && each.code === SdkErrorCode.RequestTimeout))
		return new ConnectFailure("timeout", "The server did not answer in time");
	if (seen.status !== undefined) return fromStatus(seen.status, seen.retryAfter, now, quotedText(chain));
	const protocol = chain.find((each) => ProtocolError.isInstance(each));
	if (protocol) return fromProtocolError(protocol);
	return fromMessage(chain);
}

/** Whether an attempt to find the protocol's era found nothing out, so that a plain handshake may still succeed. */
export const isInconclusive = (failure: ConnectFailure): boolean =>
	failure.code === "timeout" ||
	(failure.code === "http_error" && (failure.details.httpStatus ?? 0) >= 500) ||
	(failure.code === "connect_failed" && failure.details.stage === undefined);

function fromStatus(
	status: number,
	retryAfter: string | null | undefined,
	now: Date,
	said: string,
): ConnectFailure {
	const retryAfterMs = parseRetryAfter(retryAfter, now);
	const quote = said === "" ? "" : `: ${said}`;
	if (status === 401 || status === 403)
		return new ConnectFailure(
			"unauthorized",
			`The server refused the credentials with HTTP ${status}${quote}`,
			{ httpStatus: status },
		);
	const pause =
		retryAfterMs === undefined ? "" : `, asking to wait ${Math.ceil(retryAfterMs / 1000)} seconds`;
	return new ConnectFailure("http_error", `The server answered HTTP ${status}${pause}${quote}`, {
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
			`The server answered with content of ${what}, which is not the protocol's`,
		);
	}
	return new ConnectFailure("protocol_error", "The server's answer is not of the protocol");
}

/** What the server said in plain text beside its status; a page for people says nothing here. */
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
