import { createReadStream, statSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * Sends a file to a presigned URL, its length said before (S3 takes no chunked bodies, and `fetch` sends streams only so).
 * @param onProgress called with the bytes sent so far.
 * @throws Error with the store's status when it refuses the file.
 */
export async function uploadFile(
	path: string,
	{ url, headers }: { url: string; headers: Record<string, string> },
	onProgress: (sentBytes: number) => void,
): Promise<void> {
	const size = statSync(path).size;
	const send = url.startsWith("https:") ? requestHttps : requestHttp;
	const request = send(url, { method: "PUT", headers: { ...headers, "content-length": String(size) } });
	const answered = new Promise<number>((done, fail) => {
		request.once("error", fail);
		request.once("response", (response) => {
			response.resume();
			done(response.statusCode ?? 0);
		});
	});
	let sent = 0;
	const count = new Transform({
		transform(chunk, _encoding, pass) {
			sent += chunk.length;
			onProgress(sent);
			pass(null, chunk);
		},
	});
	const [status] = await Promise.all([answered, pipeline(createReadStream(path), count, request)]);
	if (status !== 200) throw new Error(`the upload of ${path} was refused with HTTP ${status}`);
}
