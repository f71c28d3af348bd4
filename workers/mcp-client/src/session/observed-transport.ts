import {
	type JSONRPCMessage,
	SERVER_INFO_META_KEY,
	type Transport,
	type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { ConnectFailure } from "./connect-failure.ts";
import type { Deadline } from "./deadline.ts";
import { brokenOff, refusalOf, type Sighting } from "./exchange.ts";
import type { Trace } from "./trace.ts";

type Id = string | number;

/** Of one attempt: answers, and whatever a server sends beside them. */
const MAX_MESSAGES = 1_000;

/**
 * A transport of the client library, watched: what comes in is traced, and a request whose answer can no longer come fails
 * at once, where the library would wait for its timeout.
 */
export class ObservedTransport implements Transport {
	onclose?: () => void;
	onerror?: (error: Error) => void;
	onmessage?: Transport["onmessage"];
	readonly #inner: Transport;
	readonly #trace: Trace;
	readonly #seen: Sighting;
	readonly #deadline: Deadline;
	/** Requests without an answer, by id. */
	readonly #pending = new Map<Id, string>();

	constructor(inner: Transport, options: { trace: Trace; seen: Sighting; deadline: Deadline }) {
		this.#inner = inner;
		this.#trace = options.trace;
		this.#seen = options.seen;
		this.#deadline = options.deadline;
		inner.onclose = () => this.onclose?.();
		inner.onmessage = (message) => this.#receive(message);
		inner.onerror = (error) => {
			this.onerror?.(error);
			if (isMalformed(error))
				this.#failPending(
					new ConnectFailure("protocol_error", "The server sent a message that is not of the protocol"),
				);
			// A stream that serves all requests at once: when it breaks, none of them is answered. A refusal of one speaks for
			// itself.
			else if (this.#seen.hasStarted && !this.hasPerRequestStream && this.#seen.status === undefined)
				this.#failPending(this.#seen.failure ?? brokenOff());
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
		this.#seen.hasStarted = true;
	}

	send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
		const id = idOfRequest(message);
		if (id === undefined) return this.#inner.send(message, options);
		this.#pending.set(id, "method" in message ? message.method : "");
		this.#seen.failure = undefined;
		this.#seen.status = undefined;
		const onRequestStreamEnd = (): void => {
			options?.onRequestStreamEnd?.();
			if (this.#pending.has(id)) this.#failPending(this.#seen.failure ?? brokenOff());
		};
		const sent = this.#inner.send(message, { ...options, onRequestStreamEnd });
		return sent.then(() => {
			// To a request this is no answer, where each request has its own.
			if (!this.hasPerRequestStream || !this.#pending.has(id)) return;
			if (this.#seen.isAccepted)
				this.#failPending(
					new ConnectFailure("protocol_error", "The server acknowledged a request without answering it"),
				);
			else if (this.#seen.isWhole)
				this.#failPending(
					new ConnectFailure("protocol_error", "The server answered something that it was not asked"),
				);
		});
	}

	close(): Promise<void> {
		return this.#inner.close();
	}

	setProtocolVersion(version: string): void {
		this.#inner.setProtocolVersion?.(version);
	}

	#receive(message: JSONRPCMessage): void {
		if (++this.#seen.messages > MAX_MESSAGES) {
			const reason = `The server sends more than ${MAX_MESSAGES} messages`;
			this.#deadline.fail(new ConnectFailure("unsupported_contract", reason));
			return;
		}
		const isAnswer = !("method" in message);
		// An answer that nobody waits for, such as one that the runtime's event source gives twice.
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
				? `error ${message.error.code}${refusalOf(method)}: ${message.error.message}`
				: describeResult(message.result);
		this.#trace.add("received", method, summary);
	}

	/** The library settles a request by its answer only, so it gets one; what counts is what was seen. */
	#failPending(failure: ConnectFailure): void {
		this.#seen.failure = failure;
		for (const id of [...this.#pending.keys()]) {
			this.#pending.delete(id);
			this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_000, message: "No answer" } });
		}
	}
}

/** What the library reports for text that is no JSON, and for JSON that is no message. */
const isMalformed = ({ name }: Error): boolean =>
	name === "SyntaxError" || name === "ZodError" || name === "$ZodError";

const idOfRequest = (message: JSONRPCMessage): Id | undefined =>
	"method" in message && "id" in message ? message.id : undefined;

/** What is worth a line of a result of any method; nothing in it is checked yet. */
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
