import {
	type JSONRPCMessage,
	SERVER_INFO_META_KEY,
	type Transport,
	type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { ConnectFailure } from "./connect-failure.ts";
import type { Deadline } from "./deadline.ts";
import { connectionLost, explainRefusedMethod, type Observations } from "./exchange.ts";
import type { Trace } from "./trace.ts";

type Id = string | number;

/** Maximum number of messages per attempt: answers, notifications and the server's own requests. */
const MAX_MESSAGES = 1_000;

/**
 * Wraps a transport of the client library. Records incoming messages in the trace. Fails a request as soon as its answer can
 * no longer come, where the library would wait for its time-out.
 */
export class ObservedTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	readonly #inner: Transport;
	readonly #trace: Trace;
	readonly #observed: Observations;
	readonly #deadline: Deadline;
	/** Requests without an answer, by id. */
	readonly #pending = new Map<Id, string>();

	constructor(inner: Transport, options: { trace: Trace; observed: Observations; deadline: Deadline }) {
		this.#inner = inner;
		this.#trace = options.trace;
		this.#observed = options.observed;
		this.#deadline = options.deadline;
		inner.onclose = () => this.onclose?.();
		inner.onmessage = (message) => this.#receive(message);
		inner.onerror = (error) => {
			this.onerror?.(error);
			if (isMalformed(error))
				this.#failPending(
					new ConnectFailure("protocol_error", "The server sent a message that is not valid JSON-RPC"),
				);
			// When a stream that serves all requests breaks, none of them is answered. A refused request has its own status.
			else if (this.#observed.hasStarted && !this.hasPerRequestStream && this.#observed.status === undefined)
				this.#failPending(this.#observed.failure ?? connectionLost());
		};
	}

	get hasPerRequestStream(): boolean {
		return this.#inner.hasPerRequestStream === true;
	}

	get sessionId(): string | undefined {
		return this.#inner.sessionId;
	}

	async start(): Promise<void> {
		await this.#inner.start();
		this.#observed.hasStarted = true;
	}

	send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const id = idOfRequest(message);
		if (id === undefined) return this.#inner.send(message, options);
		this.#pending.set(id, "method" in message ? message.method : "");
		this.#observed.failure = undefined;
		this.#observed.status = undefined;
		const onRequestStreamEnd = (): void => {
			options?.onRequestStreamEnd?.();
			if (this.#pending.has(id)) this.#failPending(this.#observed.failure ?? connectionLost());
		};
		const sent = this.#inner.send(message, { ...options, onRequestStreamEnd });
		return sent.then(() => {
			// With one stream per request, the response has ended without an answer to this request.
			if (!this.hasPerRequestStream || !this.#pending.has(id)) return;
			if (this.#observed.isAcknowledgement)
				this.#failPending(
					new ConnectFailure("protocol_error", "The server acknowledged a request without answering it"),
				);
			else if (this.#observed.isSingleMessage)
				this.#failPending(new ConnectFailure("protocol_error", "The server's answer belongs to no request"));
		});
	}

	close(): Promise<void> {
		return this.#inner.close();
	}

	setProtocolVersion(version: string): void {
		this.#inner.setProtocolVersion?.(version);
	}

	#receive(message: JSONRPCMessage): void {
		if (++this.#observed.messages > MAX_MESSAGES) {
			const reason = `The server sends more than ${MAX_MESSAGES} messages`;
			this.#deadline.fail(new ConnectFailure("unsupported_contract", reason));
			return;
		}
		const isAnswer = !("method" in message);
		// An answer to no pending request, such as one that the runtime's event source delivers twice.
		if (isAnswer && !this.#pending.has(message.id ?? "")) return;
		this.#describe(message);
		if (isAnswer) this.#pending.delete(message.id ?? "");
		this.onmessage?.(message);
	}

	#describe(message: JSONRPCMessage): void {
		if ("method" in message) {
			this.#trace.add("received", message.method, "id" in message ? "request" : "notification");
			return;
		}
		const method = this.#pending.get(message.id ?? "") ?? "";
		const summary =
			"error" in message
				? `error ${message.error.code}${explainRefusedMethod(method)}: ${message.error.message}`
				: describeResult(message.result);
		this.#trace.add("received", method, summary);
	}

	/** Fails all pending requests. The library ends a request only by an answer, so it gets an error; `toFailure` reads the observed failure. */
	#failPending(failure: ConnectFailure): void {
		this.#observed.failure = failure;
		for (const id of [...this.#pending.keys()]) {
			this.#pending.delete(id);
			this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_000, message: "No answer" } });
		}
	}
}

/** Returns true for the library's errors about text that is not JSON and JSON that is not a message. */
const isMalformed = ({ name }: Error): boolean =>
	name === "SyntaxError" || name === "ZodError" || name === "$ZodError";

const idOfRequest = (message: JSONRPCMessage): Id | undefined =>
	"method" in message && "id" in message ? message.id : undefined;

/** Summarises a result of any method in one line. The result is not validated yet. */
function describeResult(result: Record<string, unknown>): string {
	const { protocolVersion, supportedVersions, tools, nextCursor, _meta } = result;
	const server = (result.serverInfo ??
		(_meta as Record<string, unknown> | undefined)?.[SERVER_INFO_META_KEY]) as
		| { name?: unknown; version?: unknown }
		| undefined;
	const parts = [
		typeof protocolVersion === "string" && `protocol ${protocolVersion}`,
		Array.isArray(supportedVersions) && `protocol ${supportedVersions.join(", ")}`,
		server && `server ${server.name} ${server.version}`,
		Array.isArray(tools) && `${tools.length} tools`,
		nextCursor !== undefined && "more pages",
	];
	return ["result", ...parts.filter(Boolean)].join(", ");
}
