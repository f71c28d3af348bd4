const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NO_ENTRY = 44;
const NOT_IMPLEMENTED = 52;
const NOT_SEEKABLE = 70;

const CHARACTER_DEVICE = 2;
const DIRECTORY = 3;
const REGULAR_FILE = 4;

const ROOT_DESCRIPTOR = 3;
const SET = 0;
const CURRENT = 1;

interface OpenFile {
	type: typeof CHARACTER_DEVICE | typeof DIRECTORY | typeof REGULAR_FILE;
	data: Uint8Array;
	position: number;
}

/** A started WASI reactor. Views of its memory become invalid when the program runs, because the memory may grow. */
export interface Program {
	/** Calls an export. Pointers and lengths are numbers. @throws WebAssembly.RuntimeError if the program traps. */
	call(name: string, ...args: number[]): number;
	/** Returns a view of the memory. */
	bytes(): Uint8Array;
	/** Returns the size of the memory in bytes. */
	size(): number;
}

const PAGE_BYTES = 65_536;
/** Initial memory of a program that imports its memory. */
const INITIAL_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Starts a C library (WASI preview 1, reactor) over read-only files in memory. It has no disk, environment or network, and cannot write or wait.
 * `files` maps absolute paths to contents. Every other call returns "not implemented".
 * @param maxBytes maximum memory of a library that imports its memory. Defaults to 256 MiB.
 */
export async function startProgram(
	module: WebAssembly.Module,
	files: ReadonlyMap<string, Uint8Array>,
	maxBytes = MAX_BYTES,
): Promise<Program> {
	let memory: WebAssembly.Memory | undefined;
	const buffer = () => {
		if (!memory) throw new Error("the program has no memory yet");
		return memory.buffer;
	};
	const view = () => new DataView(buffer());
	const bytes = () => new Uint8Array(buffer());
	const fileAt = (path: number, length: number) =>
		files.get(`/${new TextDecoder().decode(bytes().subarray(path, path + length)).replace(/^[./]+/, "")}`);

	const none = new Uint8Array();
	const open = new Map<number, OpenFile>([
		[0, { type: CHARACTER_DEVICE, data: none, position: 0 }],
		[1, { type: CHARACTER_DEVICE, data: none, position: 0 }],
		[2, { type: CHARACTER_DEVICE, data: none, position: 0 }],
		[ROOT_DESCRIPTOR, { type: DIRECTORY, data: none, position: 0 }],
	]);
	let nextDescriptor = ROOT_DESCRIPTOR + 1;

	const writeStat = (at: number, type: number, size: number) => {
		bytes().fill(0, at, at + 64);
		view().setUint8(at + 16, type);
		view().setBigUint64(at + 32, BigInt(size), true);
		return SUCCESS;
	};
	const writePair = (first: number, second: number) => {
		view().setUint32(first, 0, true);
		view().setUint32(second, 0, true);
		return SUCCESS;
	};
	const eachSlice = (vectors: number, count: number, take: (at: number, length: number) => number) => {
		let total = 0;
		for (let i = 0; i < count; i++) {
			const at = view().getUint32(vectors + i * 8, true);
			const length = view().getUint32(vectors + i * 8 + 4, true);
			const taken = take(at, length);
			total += taken;
			if (taken < length) break;
		}
		return total;
	};

	const calls: Record<string, (...args: never[]) => number> = {
		args_get: () => SUCCESS,
		args_sizes_get: writePair,
		environ_get: () => SUCCESS,
		environ_sizes_get: writePair,
		clock_time_get: (_clock: number, _precision: bigint, out: number) => {
			view().setBigUint64(out, BigInt(Date.now()) * 1_000_000n, true);
			return SUCCESS;
		},
		fd_prestat_get: (fd: number, out: number) => {
			if (fd !== ROOT_DESCRIPTOR) return BAD_DESCRIPTOR;
			view().setUint8(out, 0);
			view().setUint32(out + 4, 1, true);
			return SUCCESS;
		},
		fd_prestat_dir_name: (_fd: number, out: number) => {
			bytes()[out] = "/".charCodeAt(0);
			return SUCCESS;
		},
		fd_fdstat_get: (fd: number, out: number) => {
			const file = open.get(fd);
			if (!file) return BAD_DESCRIPTOR;
			const allRights = 0xffff_ffff_ffff_ffffn;
			view().setUint8(out, file.type);
			view().setUint16(out + 2, 0, true);
			view().setBigUint64(out + 8, allRights, true);
			view().setBigUint64(out + 16, allRights, true);
			return SUCCESS;
		},
		fd_fdstat_set_flags: () => SUCCESS,
		fd_filestat_get: (fd: number, out: number) => {
			const file = open.get(fd);
			return file ? writeStat(out, file.type, file.data.length) : BAD_DESCRIPTOR;
		},
		path_filestat_get: (_dir: number, _flags: number, path: number, length: number, out: number) => {
			const data = fileAt(path, length);
			return data ? writeStat(out, REGULAR_FILE, data.length) : NO_ENTRY;
		},
		path_open: (
			_dir: number,
			_lookup: number,
			path: number,
			length: number,
			_create: number,
			_rights: bigint,
			_inherited: bigint,
			_flags: number,
			out: number,
		) => {
			const data = fileAt(path, length);
			if (!data) return NO_ENTRY;
			open.set(nextDescriptor, { type: REGULAR_FILE, data, position: 0 });
			view().setUint32(out, nextDescriptor++, true);
			return SUCCESS;
		},
		fd_close: (fd: number) => (open.delete(fd) ? SUCCESS : BAD_DESCRIPTOR),
		fd_read: (fd: number, vectors: number, count: number, out: number) => {
			const file = open.get(fd);
			if (file?.type !== REGULAR_FILE) return BAD_DESCRIPTOR;
			const total = eachSlice(vectors, count, (at, length) => {
				const slice = file.data.subarray(file.position, file.position + length);
				bytes().set(slice, at);
				file.position += slice.length;
				return slice.length;
			});
			view().setUint32(out, total, true);
			return SUCCESS;
		},
		fd_seek: (fd: number, offset: bigint, whence: number, out: number) => {
			const file = open.get(fd);
			if (file?.type !== REGULAR_FILE) return NOT_SEEKABLE;
			const base = whence === SET ? 0 : whence === CURRENT ? file.position : file.data.length;
			file.position = Math.max(0, base + Number(offset));
			view().setBigUint64(out, BigInt(file.position), true);
			return SUCCESS;
		},
		// Discards the output. Both libraries log to standard error.
		fd_write: (_fd: number, vectors: number, count: number, out: number) => {
			view().setUint32(
				out,
				eachSlice(vectors, count, (_at, length) => length),
				true,
			);
			return SUCCESS;
		},
		proc_exit: (code: number) => {
			throw new Error(`the program exited with ${code}`);
		},
	};

	const imports: Record<string, Record<string, WebAssembly.Memory | ((...args: never[]) => number)>> = {};
	for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
		imports[from] ??= {};
		if (kind !== "memory") imports[from][name] = calls[name] ?? (() => NOT_IMPLEMENTED);
		else {
			memory = new WebAssembly.Memory({
				initial: INITIAL_BYTES / PAGE_BYTES,
				maximum: maxBytes / PAGE_BYTES,
			});
			imports[from][name] = memory;
		}
	}
	const instance = await WebAssembly.instantiate(module, imports);
	const exported = instance.exports as Record<string, WebAssembly.Memory | ((...args: number[]) => number)>;
	const call = (name: string, ...args: number[]) => {
		const target = exported[name];
		if (typeof target !== "function") throw new Error(`the program does not export ${name}`);
		return target(...args);
	};
	memory ??= exported.memory as WebAssembly.Memory;
	call("_initialize");
	return { call, bytes, size: () => buffer().byteLength };
}
