/** Writes a table as CSV (RFC 4180). Text that a spreadsheet would take for a formula is kept as text. */
export function toCsv(header: string[], rows: (string | number | null)[][]): Blob {
	const cell = (value: string | number | null): string => {
		if (value === null) return "";
		if (typeof value === "number") return String(value);
		const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
		return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	};
	const lines = [header, ...rows].map((row) => row.map(cell).join(","));
	return new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv;charset=utf-8" });
}
