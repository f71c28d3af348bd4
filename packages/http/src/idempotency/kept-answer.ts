/** Bytes of an answer: a line of JSON with status and headers, then the body; gzipped. */
export async function packAnswer(response: Response): Promise<Uint8Array> {
	const head = JSON.stringify({ status: response.status, headers: [...response.headers] });
	const body = await response.clone().arrayBuffer();
	return pipe(new Blob([`${head}\n`, body]).stream(), new CompressionStream("gzip"));
}

/** The answer again, marked as a repetition. */
export async function unpackAnswer(packed: Uint8Array): Promise<Response> {
	const bytes = await pipe(new Blob([packed]).stream(), new DecompressionStream("gzip"));
	const end = bytes.indexOf(0x0a);
	const head: { status: number; headers: [string, string][] } = JSON.parse(
		new TextDecoder().decode(bytes.subarray(0, end)),
	);
	const headers = new Headers(head.headers);
	headers.set("idempotent-replayed", "true");
	const body = bytes.slice(end + 1);
	return new Response(body.byteLength > 0 ? body : null, { status: head.status, headers });
}

const pipe = async (stream: ReadableStream, through: ReadableWritablePair): Promise<Uint8Array> =>
	new Uint8Array(await new Response(stream.pipeThrough(through)).arrayBuffer());
