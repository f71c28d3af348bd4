export type ByteRange = { offset: number; length: number };

/**
 * Returns the bytes that a `Range` header asks for (RFC 9110, section 14.1). Undefined when the whole is asked for: without a
 * header, and for several ranges or another unit, which a server may ignore.
 * @returns `unsatisfiable` when the range lies behind the end
 */
export function byteRangeOf(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
	const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
	const [, first = "", last = ""] = match ?? [];
	if (!match || (first === "" && last === "")) return undefined;
	if (first === "") {
		const length = Math.min(Number(last), size);
		return length === 0 ? "unsatisfiable" : { offset: size - length, length };
	}
	const offset = Number(first);
	if (last !== "" && Number(last) < offset) return undefined;
	if (offset >= size) return "unsatisfiable";
	const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
	return { offset, length: end - offset + 1 };
}
