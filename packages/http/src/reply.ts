/** An answer whose status or headers differ from those that its route declares. */
export class Reply {
	readonly status: number;
	readonly value: unknown;
	readonly headers: Record<string, string>;

	constructor(status: number, value: unknown, headers: Record<string, string> = {}) {
		this.status = status;
		this.value = value;
		this.headers = headers;
	}
}
