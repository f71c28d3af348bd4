import { concat } from "@parley/bytes/concat";
import { jsonFault } from "@parley/canonical/json-fault";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Plane } from "../planes/plane.ts";

/**
 * Reads the request's body up to the plane's cap. A body of up to twice the cap is read to its end before it is refused: a client
 * that is still sending when the connection closes would see a reset instead of the answer.
 * @throws ApiError BODY_TOO_LARGE
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
	const announced = Number(request.headers.get("content-length") ?? 0);
	if (announced > 2 * maxBytes) throw tooLarge();
	if (announced > maxBytes) {
		await request.body?.pipeTo(new WritableStream());
		throw tooLarge();
	}
	if (!request.body) return new Uint8Array();
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of request.body as ReadableStream<Uint8Array>) {
		size += chunk.byteLength;
		// Leaving the loop cancels the stream.
		if (size > maxBytes) throw tooLarge();
		chunks.push(chunk);
	}
	if (chunks.length === 1 && chunks[0]) return chunks[0];
	return concat(chunks);
}

/**
 * The JSON value of a body; undefined when it is empty.
 * @throws ApiError the plane's code for invalid input: not UTF-8, not JSON, or JSON that cannot be kept faithfully.
 */
export function parseJson(bytes: Uint8Array, plane: Plane): unknown {
	if (bytes.byteLength === 0) return undefined;
	const value = decodeJson(bytes, plane);
	const fault = jsonFault(value);
	if (!fault) return value;
	const path = fault.path.map(String).join(".");
	const message = path ? `${path}: ${fault.message}` : fault.message;
	throw new ApiError(plane.invalidCode, message, { fields: [{ path, message: fault.message }] });
}

function decodeJson(bytes: Uint8Array, plane: Plane): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
	} catch {
		const fields = [{ path: "", message: "Not valid JSON" }];
		throw new ApiError(plane.invalidCode, "The request body is not valid JSON", { fields });
	}
}

const tooLarge = () => new ApiError("BODY_TOO_LARGE", "Request body too large");
