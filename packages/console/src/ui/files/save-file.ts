/** Saves a file as a download does. */
export function saveFile(content: Blob, name: string): void {
	const url = URL.createObjectURL(content);
	const link = document.createElement("a");
	link.href = url;
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Makes a text safe as the name of a file on any system. */
export const toFileName = (text: string): string =>
	text
		// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
		.replaceAll(/[\u0000-\u001f<>:"/\\|?*\u202a-\u202e\u2066-\u2069]/g, "_")
		.replace(/^\.+/, "_")
		.slice(0, 120)
		.trim() || "file";
