type Watcher = {
	onBytes: (count: number) => void;
	onError: (error: unknown) => void;
	onEnd: () => void;
};

/** Returns the response with a body that reports bytes, errors and its end. The client library would hide the original errors. */
export function watchBody(response: Response, watcher: Watcher): Response {
	const reader = response.body?.getReader();
	if (!reader) return response;
	const body = new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					const { done, value } = await reader.read();
					if (done) {
						watcher.onEnd();
						return controller.close();
					}
					watcher.onBytes(value.byteLength);
					controller.enqueue(value);
				} catch (error) {
					watcher.onError(error);
					controller.error(error);
				}
			},
			cancel: (reason) => reader.cancel(reason),
		},
		{ highWaterMark: 0 },
	);
	return new Response(body, { status: response.status, headers: response.headers });
}
