import { portOf } from "./address.ts";

/** Result of an attempt to connect without sending a request. */
export type ProbeResult = "opened" | "failed" | "unknown";

/** Opens a connection to a host and closes it at once, with `tls` after a TLS handshake. */
export type Probe = (url: URL, options: { tls: boolean; signal: AbortSignal }) => Promise<ProbeResult>;

const PROBE_MS = 2_000;

/** Probes by a TCP socket of workerd. Answers `unknown` in any other runtime, and when the host does not answer in time. */
export const probeSocket: Probe = async (url, { tls, signal }) => {
	const sockets = await import("cloudflare:sockets").catch(() => undefined);
	if (!sockets) return "unknown";
	const address = {
		hostname: url.hostname.replace(/^\[|\]$/g, ""),
		port: portOf(url),
	};
	const socket = sockets.connect(address, { secureTransport: tls ? "on" : "off", allowHalfOpen: false });
	// A failure rejects this promise too.
	socket.closed.catch(() => undefined);
	const givenUp = Promise.withResolvers<ProbeResult>();
	const giveUp = (): void => givenUp.resolve("unknown");
	const timer = setTimeout(giveUp, PROBE_MS);
	signal.addEventListener("abort", giveUp, { once: true });
	try {
		const opened = socket.opened.then(
			(): ProbeResult => "opened",
			(): ProbeResult => "failed",
		);
		return signal.aborted ? "unknown" : await Promise.race([opened, givenUp.promise]);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", giveUp);
		socket.close().catch(() => undefined);
	}
};
