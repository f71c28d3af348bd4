import {
	type AddressRules,
	checkAddress,
	checkUrl,
	hostOf,
	isLoopback,
	needsResolver,
	portOf,
} from "./address.ts";
import { EgressError } from "./egress-error.ts";
import type { EgressRules } from "./egress-rules.ts";
import { diagnoseConnectError, edgeFailure, toEgressError } from "./failure.ts";
import { type EgressBody, type HopRequest, redirectedRequest, redirectTarget } from "./redirect.ts";
import { guardBody } from "./response-body.ts";

export type EgressInput = {
	url: string | URL;
	/** GET when absent. */
	method?: string;
	headers?: Headers | Record<string, string> | [string, string][];
	body?: EgressBody;
	/** Headers that another origin must not see after a redirect, beside Authorization and Cookie. */
	secretHeaders?: readonly string[];
};

/**
 * `url` is origin and path: what is in the query may be a secret. `hop` counts from 0. `headerNames` are those that this hop
 * is sent with, in lower case, as another origin does not get them all.
 */
export type EgressEvent =
	| { type: "request"; hop: number; method: string; url: string; headerNames: string[] }
	| { type: "response"; hop: number; status: number; url: string };

export type EgressPolicy = EgressRules & {
	/** For everything: resolving, every hop, and reading the body to its end. */
	timeoutMs: number;
	/** For each wait for the host: for an answer, and for more of the body. Absent, only the whole is bounded. */
	idleMs?: number;
	/** A body of which fewer bytes come in waits of `idleMs` together is as good as none. Absent, one byte a wait will do. */
	idleBytes?: number;
	/** Maximum size of the decoded body. */
	maxResponseBytes: number;
	/** 5 when absent. */
	maxRedirects?: number;
	fetch?: typeof globalThis.fetch;
	onEvent?: (event: EgressEvent) => void;
	signal?: AbortSignal;
};

/** Framing and routing belong to the connection, not to callers: RFC 9110 section 7.6.1. */
const CONNECTION_HEADERS = [
	"connection",
	"content-length",
	"expect",
	"host",
	"keep-alive",
	"proxy-authenticate",
].concat(["proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"]);
const FORBIDDEN_METHODS = ["CONNECT", "TRACE", "TRACK"];

/**
 * Sends a request to a public host and gives its final response, whose body fails rather than outgrow its bounds. Redirects
 * are followed here, each target checked like the first URL. A response of any status is a result, not an error, but for
 * those by which Cloudflare's edge says that the host was not reached. Read the body to its end or cancel it. To a request
 * with `Accept-Encoding: identity` an encoded body of a 2xx response is refused.
 *
 * A name that resolves to a private address is caught only with `resolve`, which is asked again for each hop. Even then a
 * name passes that changes its address before fetch resolves it again: neither workerd nor fetch lets a connection be pinned
 * to an address (`cf.resolveOverride` is for hosts of one's own zone). On Cloudflare's edge such a name leads nowhere, since
 * Workers reach no private network unless one is bound to them; elsewhere, a firewall has to give the same.
 * @throws EgressError; or the reason of `policy.signal` when that aborts. Reading the body throws the same.
 */
export async function guardedFetch(input: EgressInput, policy: EgressPolicy): Promise<Response> {
	let request = firstRequest(input, policy);
	const deadline = startDeadline(policy);
	try {
		for (let hop = 0; ; hop++) {
			const response = await deadline.during(() => sendHop(request, hop, policy, deadline.signal));
			const target = redirectTarget(response);
			if (target === undefined) return guardResponse(response, request, policy, deadline);
			response.body?.cancel().catch(() => undefined);
			if (hop === (policy.maxRedirects ?? 5)) throw new EgressError("too_many_redirects");
			const url = checkUrl(URL.parse(target, request.url) ?? target, policy);
			request = redirectedRequest(request, response.status, url, input.secretHeaders ?? []);
			if (request.body instanceof ReadableStream)
				throw new EgressError("invalid_request", "A redirect asks for a body that cannot be sent twice");
		}
	} catch (error) {
		deadline.stop();
		throw deadline.signal.aborted ? deadline.signal.reason : toEgressError(error);
	}
}

function firstRequest(input: EgressInput, rules: AddressRules): HopRequest {
	const url = checkUrl(input.url, rules);
	const method = (input.method ?? "GET").toUpperCase();
	const body = input.body;
	if (!/^[A-Z]+$/.test(method) || FORBIDDEN_METHODS.includes(method))
		throw new EgressError("invalid_request");
	if (body !== undefined && (method === "GET" || method === "HEAD")) throw new EgressError("invalid_request");
	let headers: Headers;
	try {
		headers = new Headers(input.headers);
	} catch (error) {
		// The runtime's message quotes the value, which may be a secret.
		throw new EgressError("invalid_request", "A header has a name or value that cannot be sent", error);
	}
	const refused = CONNECTION_HEADERS.find((name) => headers.has(name));
	if (refused !== undefined)
		throw new EgressError("invalid_request", `The header ${refused} cannot be set by a caller`);
	return { url, method, headers, body };
}

async function sendHop(
	request: HopRequest,
	hop: number,
	policy: EgressPolicy,
	signal: AbortSignal,
): Promise<Response> {
	const { url, method, headers, body } = request;
	if (isLoopback(hostOf(url))) refuseSimulatorHeaders(headers);
	const isName = needsResolver(url);
	if (isName) await checkName(url, policy, signal);
	const shownUrl = url.origin + url.pathname;
	policy.onEvent?.({ type: "request", hop, method, url: shownUrl, headerNames: [...headers.keys()] });
	const send = policy.fetch ?? ((...args: Parameters<typeof fetch>) => globalThis.fetch(...args));
	// Node asks for `duplex` when the body is a stream; workerd does not know it.
	const init = { method, headers, body, redirect: "manual", signal, duplex: "half" };
	const response = await abortable(send(url.href, init as RequestInit), signal).catch(async (error) => {
		const isUnresolved = isName && !policy.resolve;
		throw await diagnoseConnectError(error, { url, probe: policy.probe, isUnresolved, signal });
	});
	policy.onEvent?.({ type: "response", hop, status: response.status, url: shownUrl });
	const failure = edgeFailure(response.status);
	if (failure === undefined) return response;
	response.body?.cancel().catch(() => undefined);
	throw failure;
}

/** Refuses headers that make Cloudflare's local simulator take a request for another URL or worker. */
function refuseSimulatorHeaders(headers: Headers): void {
	const refused = [...headers.keys()].find((name) => name.startsWith("mf-"));
	if (refused !== undefined)
		throw new EgressError("invalid_request", `The header ${refused} cannot be sent to a loopback address`);
}

/** Every address counts, since the runtime picks one of them without asking. */
async function checkName(url: URL, policy: EgressPolicy, signal: AbortSignal): Promise<void> {
	if (!policy.resolve) return;
	const addresses = await abortable(policy.resolve(url.hostname, signal), signal).catch((error) => {
		throw error instanceof EgressError ? error : new EgressError("resolver_failed", undefined, error);
	});
	if (addresses.length === 0) throw new EgressError("dns_failed");
	for (const address of addresses) checkAddress(address, portOf(url), policy);
}

function guardResponse(
	response: Response,
	request: HopRequest,
	policy: EgressPolicy,
	deadline: Deadline,
): Response {
	const { status, body } = response;
	const headers = new Headers(response.headers);
	if (response.ok && asksForIdentity(request.headers) && isEncoded(headers)) {
		body?.cancel().catch(() => undefined);
		throw new EgressError("encoded_body");
	}
	if (headers.has("content-encoding")) {
		// The body arrives decoded, so neither header speaks of it any more.
		headers.delete("content-encoding");
		headers.delete("content-length");
	}
	if (body === null || request.method === "HEAD") {
		deadline.stop();
		return new Response(null, { status, headers });
	}
	if (Number(headers.get("content-length")) > policy.maxResponseBytes) {
		body.cancel().catch(() => undefined);
		throw new EgressError("body_too_large");
	}
	const guarded = guardBody(body, {
		maxBytes: policy.maxResponseBytes,
		...(policy.idleMs !== undefined && { slowest: { ms: policy.idleMs, bytes: policy.idleBytes ?? 0 } }),
		signal: deadline.signal,
		toError: toEgressError,
		wait: deadline.during,
		onEnd: deadline.stop,
	});
	return new Response(guarded, { status, headers });
}

/** Whether the request asks for the bytes as they are. The runtime decodes a body without limit, so one that is encoded is refused. */
const asksForIdentity = (headers: Headers): boolean => headers.get("accept-encoding") === "identity";

const isEncoded = (headers: Headers): boolean =>
	!["", "identity"].includes((headers.get("content-encoding") ?? "").trim().toLowerCase());

type Deadline = {
	signal: AbortSignal;
	/** Runs a wait for the host, which may last `idleMs`. */
	during: <T>(wait: () => Promise<T>) => Promise<T>;
	stop: () => void;
};

/** A signal that aborts with the error to throw: `timeout`, or the caller's own reason. */
function startDeadline({ timeoutMs, idleMs, signal }: EgressPolicy): Deadline {
	const controller = new AbortController();
	const expireIn = (ms: number) => setTimeout(() => controller.abort(new EgressError("timeout")), ms);
	const timer = expireIn(timeoutMs);
	return {
		signal: signal ? AbortSignal.any([controller.signal, signal]) : controller.signal,
		during: async (wait) => {
			if (idleMs === undefined) return wait();
			const idle = expireIn(idleMs);
			try {
				return await wait();
			} finally {
				clearTimeout(idle);
			}
		},
		stop: () => clearTimeout(timer),
	};
}

/** Rejects as soon as the signal aborts, also where the work itself does not listen to it. */
function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const onAbort = (): void => reject(signal.reason);
		if (signal.aborted) onAbort();
		signal.addEventListener("abort", onAbort, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
	});
}
