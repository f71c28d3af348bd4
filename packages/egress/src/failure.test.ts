import { expect, test } from "vitest";
import { EgressError } from "./egress-error.ts";
import { diagnoseConnectError, toConnectError, toEgressError } from "./failure.ts";
import type { ProbeResult } from "./socket-probe.ts";

const nodeError = (code: string, message = "") =>
	new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

test.each<[error: unknown, code: string]>([
	[nodeError("ENOTFOUND", "getaddrinfo ENOTFOUND a.example"), "dns_failed"],
	[nodeError("EAI_AGAIN"), "dns_failed"],
	[nodeError("ECONNREFUSED"), "connect_failed"],
	[nodeError("EHOSTUNREACH"), "connect_failed"],
	[nodeError("UND_ERR_CONNECT_TIMEOUT"), "connect_failed"],
	[
		new TypeError("fetch failed", {
			cause: new AggregateError([nodeError("x"), new Error("connect ECONNREFUSED ::1")]),
		}),
		"connect_failed",
	],
	[nodeError("DEPTH_ZERO_SELF_SIGNED_CERT"), "tls_failed"],
	[nodeError("SELF_SIGNED_CERT_IN_CHAIN"), "tls_failed"],
	[nodeError("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "tls_failed"],
	[nodeError("CERT_HAS_EXPIRED"), "tls_failed"],
	[nodeError("ERR_TLS_CERT_ALTNAME_INVALID"), "tls_failed"],
	[nodeError("ERR_SSL_WRONG_VERSION_NUMBER"), "tls_failed"],
	[nodeError("UND_ERR_SOCKET", "other side closed"), "network"],
	[nodeError("ECONNRESET"), "network"],
	[new Error("Network connection lost."), "network"],
	["thrown text", "network"],
])("%s is classified as %s", (error, code) => {
	expect(toEgressError(error)).toMatchObject({ code, cause: error });
});

test("what the runtime said stays out of the public message", () => {
	expect(toEgressError(nodeError("ENOTFOUND", "getaddrinfo ENOTFOUND secret.example")).message).not.toContain(
		"secret",
	);
});

test("an error of ours stays as it is", () => {
	const error = new EgressError("timeout");
	expect(toEgressError(error)).toBe(error);
});

test("workerd's sentences mean an unreachable host before an answer, and a broken connection after", () => {
	for (const text of ["Network connection lost.", "internal error; reference = 1cg6ttr5"]) {
		expect(toConnectError(new Error(text)).code).toBe("connect_failed");
		expect(toEgressError(new Error(text)).code).toBe("network");
	}
	expect(toConnectError(nodeError("UND_ERR_SOCKET", "other side closed")).code).toBe("network");
	expect(toConnectError(nodeError("ENOTFOUND")).code).toBe("dns_failed");
});

const INTERNAL = new Error("internal error; reference = 1cg6ttr5");
const LOST = new Error("Network connection lost.");

test.each<
	[
		what: string,
		error: Error,
		url: string,
		plain: ProbeResult,
		tls: ProbeResult,
		resolved: boolean,
		code: string,
	]
>([
	["a name without an address", INTERNAL, "https://a.example/", "failed", "failed", false, "dns_failed"],
	["a resolved name", INTERNAL, "https://a.example/", "failed", "failed", true, "connect_failed"],
	["a bad certificate", INTERNAL, "https://a.example/", "opened", "failed", false, "tls_failed"],
	["a fault of the runtime", INTERNAL, "https://a.example/", "opened", "opened", false, "connect_failed"],
	["a silent host", INTERNAL, "https://a.example/", "unknown", "unknown", false, "connect_failed"],
	["a host without TLS", INTERNAL, "http://localhost/", "opened", "failed", true, "connect_failed"],
	["a refused connection", LOST, "https://a.example/", "failed", "failed", false, "connect_failed"],
])("%s is diagnosed from what a connection to the host shows", async (...row) => {
	const [, error, url, plain, tls, isResolved, code] = row;
	const failure = await diagnoseConnectError(error, {
		url: new URL(url),
		probe: async (_, options) => (options.tls ? tls : plain),
		isUnresolved: !isResolved,
		signal: AbortSignal.abort(),
	});
	expect(failure).toMatchObject({ code, cause: error });
});

test("nothing is diagnosed without a way to open a connection", async () => {
	const signal = AbortSignal.abort();
	const diagnosis = { url: new URL("https://a.example/"), isUnresolved: true, signal };
	expect((await diagnoseConnectError(INTERNAL, diagnosis)).code).toBe("connect_failed");
});
