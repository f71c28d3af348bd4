import type { NewFile } from "./upload.ts";

type DroppedItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };
type Directory = FileSystemDirectoryHandle & { values: () => AsyncIterable<FileSystemHandle> };

const HIDDEN = /^(\.|Thumbs\.db$|desktop\.ini$)/;

/** Collects the files of a drop, also those inside folders. Chromium gives handles, which open a file again after a reload. */
export async function collectFiles(transfer: DataTransfer): Promise<NewFile[]> {
	// The list of items is gone once the event is over, so every item is asked at once.
	const found = await Promise.all([...transfer.items].filter(({ kind }) => kind === "file").map(collectItem));
	return found.flat().filter(({ file }) => !HIDDEN.test(file.name) && file.size > 0);
}

async function collectItem(item: DroppedItem): Promise<NewFile[]> {
	const file = item.getAsFile();
	const entry = item.webkitGetAsEntry?.();
	const handle = await item.getAsFileSystemHandle?.().catch(() => null);
	if (handle) return collectHandle(handle);
	if (entry?.isDirectory) return collectEntry(entry);
	return file ? [{ file }] : [];
}

async function collectHandle(handle: FileSystemHandle): Promise<NewFile[]> {
	if (handle.kind === "file") {
		const opened = handle as FileSystemFileHandle;
		return [{ file: await opened.getFile(), handle: opened }];
	}
	const inside: NewFile[] = [];
	for await (const child of (handle as Directory).values()) inside.push(...(await collectHandle(child)));
	return inside;
}

async function collectEntry(entry: FileSystemEntry): Promise<NewFile[]> {
	if (entry.isFile) {
		const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
		return [{ file }];
	}
	const reader = (entry as FileSystemDirectoryEntry).createReader();
	const inside: NewFile[] = [];
	// A reader hands out its entries in portions, the last of which is empty.
	for (;;) {
		const entries = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
		if (entries.length === 0) return inside;
		for (const child of entries) inside.push(...(await collectEntry(child)));
	}
}

export const listFiles = (list: FileList | null): NewFile[] =>
	[...(list ?? [])].filter(({ name, size }) => !HIDDEN.test(name) && size > 0).map((file) => ({ file }));
