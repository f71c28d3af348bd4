/** An error response in OpenAI's format. The message is public. */
export class RequestError extends Error {
	override name = "RequestError";
	readonly status: number;
	readonly param: string | null;
	readonly code: string | null;
	readonly headers: Record<string, string>;

	constructor(
		status: number,
		message: string,
		details: { param?: string; code?: string; headers?: Record<string, string> } = {},
	) {
		super(message);
		this.status = status;
		this.param = details.param ?? null;
		this.code = details.code ?? null;
		this.headers = details.headers ?? {};
	}

	toBody() {
		const type = this.status < 500 ? "invalid_request_error" : "server_error";
		return { error: { message: this.message, type, param: this.param, code: this.code } };
	}
}
