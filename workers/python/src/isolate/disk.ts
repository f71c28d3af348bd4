// WASI numbers of the errors that a full device and a full pipe give.
const ENOSPC = 51;
const EAGAIN = 6;
const PIPE_BUCKETS = 8; // of 8 KiB each

export type DiskLimits = { maxBytes: number; maxFiles: number; maxOpenFiles: number };

/**
 * Bounds the in-memory file system. Its bytes live on the JavaScript heap, where the memory cap of the interpreter
 * does not see them.
 */
export function limitDisk(fs: PyodideFileSystem, limits: DiskLimits): void {
	const { MEMFS } = fs.filesystems;
	const expand = MEMFS.expandFileStorage;
	const resize = MEMFS.resizeFileStorage;
	const write = fs.write;
	const create = fs.createNode;
	const link = fs.symlink;
	const destroy = fs.destroyNode;
	let used = measure(fs);
	let files = 0;

	const reserve = (bytes: number) => {
		if (used + bytes > limits.maxBytes) used = measure(fs);
		if (used + bytes > limits.maxBytes) throw new fs.ErrnoError(ENOSPC);
		used += bytes;
	};
	fs.MAX_OPEN_FDS = limits.maxOpenFiles;
	MEMFS.expandFileStorage = (node, capacity) => {
		const before = sizeOf(node);
		// The file system grows a small file to twice its size, a large one by an eighth.
		const wanted = Math.max(capacity, before * (before < 1024 * 1024 ? 2 : 1.125), before ? 256 : 0);
		if (capacity > before) reserve(wanted - before);
		expand.call(MEMFS, node, capacity);
	};
	MEMFS.resizeFileStorage = (node, size) => {
		reserve(Math.max(0, size - sizeOf(node)));
		resize.call(MEMFS, node, size);
	};
	fs.write = (stream, ...rest) => {
		const pipe = stream.node?.pipe;
		if (pipe && pipe.buckets.length >= PIPE_BUCKETS) throw new fs.ErrnoError(EAGAIN);
		const [, , length, position] = rest as [unknown, unknown, number, number | undefined];
		// The first write to an empty file takes its bytes without growing the file.
		if (fs.isFile(stream.node.mode) && sizeOf(stream.node) === 0) reserve(length + (position ?? 0));
		return write.call(fs, stream, ...rest);
	};
	fs.createNode = (parent, name, ...rest) => {
		if (files >= limits.maxFiles) throw new fs.ErrnoError(ENOSPC);
		reserve(name.length);
		files++;
		return create.call(fs, parent, name, ...rest);
	};
	fs.symlink = (target, path) => {
		reserve(target.length);
		return link.call(fs, target, path);
	};
	fs.destroyNode = (node) => {
		files--;
		destroy.call(fs, node);
	};
}

function measure(fs: PyodideFileSystem): number {
	const seen = new Set<PyodideFileNode>();
	let bytes = 0;
	const add = (node: PyodideFileNode) => {
		if (seen.has(node)) return;
		seen.add(node);
		bytes += sizeOf(node) + node.name.length + (node.link?.length ?? 0);
	};
	for (const head of fs.nameTable) for (let node = head; node; node = node.name_next) add(node);
	for (const stream of fs.streams) if (stream?.node) add(stream.node);
	return bytes;
}

// The bytes of a file are of whatever array type wrote them; a folder holds its entries here.
function sizeOf({ contents }: PyodideFileNode): number {
	return ArrayBuffer.isView(contents) ? contents.byteLength : 0;
}
