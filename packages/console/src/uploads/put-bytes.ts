export class PutFailure extends Error {
	readonly status: number;
	constructor(status: number) {
		super(status === 0 ? "The storage cannot be reached." : `The storage answered ${status}.`);
		this.status = status;
	}
}

type Options = {
	headers?: Record<string, string>;
	signal: AbortSignal;
	onProgress: (sentBytes: number) => void;
};

/** Sends bytes to a signed URL and returns their ETag. Only XMLHttpRequest reports how much has been sent. */
export function putBytes(
	url: string,
	bytes: Blob,
	{ headers = {}, signal, onProgress }: Options,
): Promise<string> {
	return new Promise((done, fail) => {
		const request = new XMLHttpRequest();
		request.open("PUT", url);
		for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
		request.upload.onprogress = ({ loaded }) => onProgress(loaded);
		request.onload = () => {
			if (request.status < 200 || request.status > 299) return fail(new PutFailure(request.status));
			onProgress(bytes.size);
			done(request.getResponseHeader("etag")?.replaceAll('"', "") ?? "");
		};
		request.onerror = () => fail(new PutFailure(0));
		request.onabort = () => fail(signal.reason);
		signal.addEventListener("abort", () => request.abort(), { once: true });
		if (signal.aborted) fail(signal.reason);
		else request.send(bytes);
	});
}
