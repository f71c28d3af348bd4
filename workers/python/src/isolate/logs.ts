const STACK_HEADER = "Stack (most recent call first):\n";

export type LogLimits = { maxLines: number; maxBytes: number };

/** Collects what a tool prints as lines, in the order in which they ended, within the limits. */
export class Logs {
	readonly lines: string[] = [];
	truncated = false;
	#limits: LogLimits;
	#bytesLeft: number;
	#decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
	#partial = { stdout: "", stderr: "" };

	constructor(limits: LogLimits) {
		this.#limits = limits;
		this.#bytesLeft = limits.maxBytes;
	}

	/** A stream for Pyodide. Bytes that are not UTF-8 become replacement characters. */
	stream(name: "stdout" | "stderr"): PyodideStream {
		return {
			isatty: false,
			write: (bytes) => {
				const kept = bytes.subarray(0, this.#bytesLeft);
				if (kept.length < bytes.length) this.truncated = true;
				this.#bytesLeft -= kept.length;
				this.#append(name, this.#decoders[name].decode(kept, { stream: true }));
				return bytes.length;
			},
		};
	}

	/** Ends unfinished lines. */
	close(): void {
		for (const name of ["stdout", "stderr"] as const) {
			const rest = this.#partial[name] + this.#decoders[name].decode();
			this.#partial[name] = "";
			if (rest) this.#push(rest);
		}
	}

	/**
	 * A torn down interpreter prints its Python stack to the tool's output: moves it out of there.
	 * `isOwn` tells the tool's frames from those of the library.
	 */
	takeStack(isOwn: (frame: string) => boolean): string | null {
		this.close();
		const start = this.lines.lastIndexOf(STACK_HEADER.trim());
		if (start < 0) return null;
		const frames = this.lines.splice(start).filter((line) => /^ {2}File "/.test(line) && isOwn(line));
		return frames.length > 0 ? `${STACK_HEADER}${frames.join("\n")}\n` : null;
	}

	#append(name: "stdout" | "stderr", text: string) {
		const lines = (this.#partial[name] + text).split("\n");
		this.#partial[name] = lines.pop() ?? "";
		for (const line of lines) this.#push(line);
	}

	#push(line: string) {
		if (this.lines.length < this.#limits.maxLines) this.lines.push(line);
		else this.truncated = true;
	}
}
