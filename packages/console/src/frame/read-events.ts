/** An event of a stream. `data` is parsed JSON. */
export type ServerEvent = { event: string; data: unknown; id?: string };

/**
 * Reads server-sent events. `EventSource` is not used because it cannot send the header that tells the console from a page that
 * rides on its cookie.
 */
export async function* readEvents(response: Response, onChunk: () => void): AsyncGenerator<ServerEvent> {
	const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
	if (!reader) return;
	let rest = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			onChunk();
			const blocks = (rest + value).split(/\r?\n\r?\n/);
			rest = blocks.pop() ?? "";
			for (const block of blocks) {
				const event = parseEvent(block);
				if (event) yield event;
			}
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

/** Parses one block; undefined for a comment or what is no JSON. */
export function parseEvent(block: string): ServerEvent | undefined {
	const fields: Record<string, string[]> = {};
	for (const line of block.split(/\r?\n/)) {
		const [, name, value] = /^(event|data|id):\s?(.*)$/.exec(line) ?? [];
		if (name) fields[name] = [...(fields[name] ?? []), value ?? ""];
	}
	if (!fields.data) return;
	try {
		const id = fields.id?.at(-1);
		const data: unknown = JSON.parse(fields.data.join("\n"));
		return { event: fields.event?.at(-1) ?? "message", data, ...(id && { id }) };
	} catch {
		return;
	}
}
