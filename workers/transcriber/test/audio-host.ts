import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { startLoopback } from "@parley/testing/loopback";
import type { TestProject } from "vitest/node";
import { wav } from "./wav.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** Address of `audio-host.ts`. */
		audioHost: string;
	}
}

/**
 * A real host on loopback that has recordings and bad habits. `/<id>/<behaviour>/<argument>/a.wav`, see `behaviours`; the
 * query's `seconds` is the recording's length, `etag` its validator (`strong` unless said otherwise). What was asked for
 * under an id can be read at `/seen/<id>`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const seen = new Map<string, { range: string | null; ifRange: string | null }[]>();
	const host = await startLoopback((request, response) => {
		const url = new URL(request.url ?? "/", "http://host");
		const [, id = "", behaviour = "", argument = ""] = url.pathname.split("/");
		if (id === "seen") return void response.end(JSON.stringify(seen.get(behaviour) ?? []));
		const asked = {
			range: request.headers.range ?? null,
			ifRange: (request.headers["if-range"] as string | undefined) ?? null,
		};
		const all = [...(seen.get(id) ?? []), asked];
		seen.set(id, all);
		const behave = behaviours[behaviour] ?? (() => response.writeHead(404).end());
		behave({ request, response, url, argument, count: all.length });
	});
	project.provide("audioHost", host.url);
	return host.stop;
}

type Occasion = {
	request: IncomingMessage;
	response: ServerResponse;
	url: URL;
	argument: string;
	/** Requests for the id so far. */
	count: number;
};

const behaviours: Record<string, (occasion: Occasion) => void> = {
	/** Sends it, or the range that is asked for. */
	ok: (occasion) => send(occasion),
	/** Breaks off after so many bytes, the first time. */
	cut: (occasion) => send(occasion, { bytes: occasion.count === 1 ? Number(occasion.argument) : undefined }),
	/** Breaks off after so many bytes, each time. */
	cuts: (occasion) => send(occasion, { bytes: Number(occasion.argument) }),
	/** Breaks off once and knows no ranges. */
	rangeless: (occasion) => {
		delete occasion.request.headers.range;
		behaviours.cut?.(occasion);
	},
	/** Breaks off once, then answers with another range than was asked for. */
	astray: (occasion) => {
		if (occasion.request.headers.range) occasion.request.headers.range = "bytes=7-";
		behaviours.cut?.(occasion);
	},
	/** Breaks off once, then cannot satisfy the range. */
	unsatisfiable: (occasion) => {
		if (occasion.request.headers.range) return void occasion.response.writeHead(416).end();
		behaviours.cut?.(occasion);
	},
	/** Breaks off once, then answers with a status. */
	after: ({ argument, ...occasion }) => {
		if (occasion.count === 2) return void occasion.response.writeHead(Number(argument)).end();
		behaviours.cut?.({ ...occasion, argument: String(12 * 1024 * 1024) });
	},
	/** Promises so many bytes more than there are, or less. */
	length: (occasion) => send(occasion, { promise: Number(occasion.argument) }),
	/** Encodes what it sends, whatever is accepted. */
	encoded: ({ response, url, argument }) => {
		const body = encoders[argument]?.(recordingOf(url)) ?? recordingOf(url);
		response.writeHead(200, { ...headersOf(url, 1), "content-encoding": argument }).end(body);
	},
	/** Breaks off after so many bytes, then sends the rest encoded. */
	encodedRest: (occasion) => {
		if (!occasion.request.headers.range) return behaviours.cut?.(occasion);
		occasion.response.setHeader("content-encoding", "gzip");
		send(occasion);
	},
	/** Sends a small body that decodes to 256 MiB of a recording. */
	bomb: ({ response }) => {
		response.writeHead(200, { "content-type": "audio/wav", "content-encoding": "gzip" }).end(bomb());
	},
	/** A gigabyte of bytes that no audio begins with, as fast as it is taken. */
	junk: ({ response }) => {
		response.writeHead(200, { "content-type": "audio/mpeg", "content-length": String(1024 ** 3) });
		pour(response, 0x55);
	},
	status: ({ response, argument }) => void response.writeHead(Number(argument)).end("no"),
	page: ({ response }) => {
		response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Log in</title>");
	},
	/** So many redirects, then the file. */
	redirects: (occasion) => {
		const left = Number(occasion.argument);
		if (left === 0) return send(occasion);
		const [, id] = occasion.url.pathname.split("/");
		const location = `/${id}/redirects/${left - 1}/a.wav${occasion.url.search}`;
		occasion.response.writeHead(302, { location }).end();
	},
	loop: ({ response, url }) => void response.writeHead(307, { location: url.pathname }).end(),
	/** Redirects to the query's `to`. */
	away: ({ response, url }) =>
		void response.writeHead(301, { location: url.searchParams.get("to") ?? "" }).end(),
	/** A byte now and then, for ever. */
	drip: ({ response }) => {
		response.writeHead(200, { "content-type": "audio/wav" });
		const timer = setInterval(() => response.write("x"), 50);
		response.once("close", () => clearInterval(timer));
	},
	/** As fast as it is taken, for ever. */
	endless: ({ response }) => {
		response.writeHead(200, { "content-type": "audio/wav" });
		response.write(wav(1).subarray(0, 44));
		pour(response, 0);
	},
	silent: () => {},
};

const encoders: Record<string, (bytes: Uint8Array) => Uint8Array> = {
	gzip: gzipSync,
	br: brotliCompressSync,
	deflate: deflateSync,
};

let packed: Uint8Array | undefined;
const bomb = (): Uint8Array => {
	packed ??= gzipSync(Buffer.concat([wav(1).subarray(0, 44), Buffer.alloc(256 * 1024 ** 2)]));
	return packed;
};

/** Writes one byte again and again, for as long as it is read. */
function pour(response: ServerResponse, byte: number): void {
	const chunk = Buffer.alloc(64 * 1024, byte);
	const more = (): void => {
		while (response.write(chunk));
		response.once("drain", more);
	};
	more();
}

const recordings = new Map<string, Uint8Array<ArrayBuffer>>();

function recordingOf({ searchParams }: URL): Uint8Array<ArrayBuffer> {
	const seconds = searchParams.get("seconds") ?? "3";
	const known = recordings.get(seconds) ?? wav(Number(seconds));
	recordings.set(seconds, known);
	return known;
}

function headersOf({ searchParams }: URL, count: number): Record<string, string> {
	const kinds: Record<string, Record<string, string>> = {
		strong: { etag: '"v1"' },
		weak: { etag: 'W/"v1"' },
		changing: { etag: `"v${count}"` },
		date: {
			"last-modified": new Date(Date.now() - 3_600_000).toUTCString().replace(/\d\d:\d\d GMT/, "00:00 GMT"),
		},
		now: { "last-modified": new Date().toUTCString() },
		none: {},
	};
	return {
		"content-type": "audio/wav",
		"accept-ranges": "bytes",
		...kinds[searchParams.get("etag") ?? "strong"],
	};
}

/** @param limits `bytes` to break off after, `promise` to add to the length. */
function send(
	{ request, response, url, count }: Occasion,
	limits: { bytes?: number | undefined; promise?: number } = {},
): void {
	const file = recordingOf(url);
	const headers = headersOf(url, count);
	const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
	const validator = headers.etag ?? headers["last-modified"];
	const isRange = request.headers.range !== undefined && [undefined, validator].includes(ifRangeOf(request));
	const body = isRange ? file.subarray(from) : file;
	const length = body.byteLength + (limits.promise ?? 0);
	response.writeHead(isRange ? 206 : 200, {
		...headers,
		"content-length": String(length),
		...(isRange && { "content-range": `bytes ${from}-${file.byteLength - 1}/${file.byteLength}` }),
	});
	const sent = body.subarray(0, Math.min(limits.bytes ?? length, length));
	// A break that comes at once would also take back what is still in the socket's buffers.
	const end = () => setTimeout(() => response.destroy(), 200);
	if (sent.byteLength < length) response.write(sent, end);
	else response.end(sent);
}

const ifRangeOf = (request: IncomingMessage): string | undefined =>
	request.headers["if-range"] as string | undefined;
