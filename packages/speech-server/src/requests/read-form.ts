import type { IncomingMessage } from "node:http";
import { RequestError } from "./request-error.ts";

/** Reads a multipart body of at most `maxBytes` into memory. @throws RequestError 400 or 413 */
export async function readForm(request: IncomingMessage, maxBytes: number): Promise<FormData> {
	const contentType = request.headers["content-type"] ?? "";
	if (!contentType.startsWith("multipart/form-data"))
		throw new RequestError(400, `the body must be multipart/form-data, not "${contentType}"`);
	const body = await readBody(request, maxBytes);
	try {
		return await new Response(body, { headers: { "content-type": contentType } }).formData();
	} catch {
		throw new RequestError(400, "the body is not valid multipart/form-data");
	}
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
	const tooLarge = () =>
		new RequestError(413, `the body is larger than ${maxBytes} bytes`, { code: "body_too_large" });
	if (Number(request.headers["content-length"]) > maxBytes) throw tooLarge();
	const chunks: Buffer[] = [];
	let size = 0;
	// Leaving the loop must not close the connection, because the error response is still to be sent.
	for await (const chunk of request.iterator({ destroyOnReturn: false })) {
		size += chunk.length;
		if (size > maxBytes) throw tooLarge();
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
