// The parts of Pyodide's core that the loader and the runner touch, and the module files of the dynamic Worker.

type PyodideFileNode = {
	contents?: ArrayBufferView | Record<string, unknown>;
	mode: number;
	name: string;
	/** Target of a symbolic link. */
	link?: string;
	name_next?: PyodideFileNode;
	pipe?: { buckets: unknown[] };
};

type PyodideFileSystem = {
	mkdirTree(path: string): void;
	writeFile(path: string, data: Uint8Array, options?: { canOwn?: boolean }): void;
	readFile(path: string): Uint8Array;
	chdir(path: string): void;
	isFile(mode: number): boolean;
	write(stream: { node: PyodideFileNode }, ...rest: unknown[]): number;
	createNode(parent: unknown, name: string, ...rest: unknown[]): PyodideFileNode;
	symlink(target: string, path: string): PyodideFileNode;
	destroyNode(node: PyodideFileNode): void;
	ErrnoError: new (errno: number) => Error;
	MAX_OPEN_FDS: number;
	nameTable: (PyodideFileNode | undefined)[];
	streams: ({ node?: PyodideFileNode } | null | undefined)[];
	filesystems: {
		MEMFS: {
			expandFileStorage(node: PyodideFileNode, capacity: number): void;
			resizeFileStorage(node: PyodideFileNode, size: number): void;
		};
	};
};

type PyodideModule = {
	FS: PyodideFileSystem;
	ENV: Record<string, string>;
	HEAP8: Int8Array;
	HEAPU8: Uint8Array;
	HEAPU32: Uint32Array;
	_Py_Version: number;
	_Py_EMSCRIPTEN_SIGNAL_HANDLING: number;
};

type PyodideApi = {
	config: Record<string, unknown>;
	pyVersionTuple: number[];
	sitePackages: string;
	sys: { path: { insert(index: number, path: string): void } };
	_pyodide: { set_excepthook(): void };
	packageIndexReady: Promise<void>;
	finalizeBootstrap(snapshot: undefined, serializer: undefined): Pyodide;
	initializeStreams(stdin: undefined, stdout: undefined, stderr: undefined): void;
};

type PyodideFunction = { (...args: unknown[]): unknown; callPromising(...args: unknown[]): Promise<unknown> };

type PyodideStream = { write(bytes: Uint8Array): number; isatty: boolean };

type Pyodide = {
	_module: PyodideModule;
	_api: PyodideApi;
	FS: PyodideFileSystem;
	pyimport(name: string): Record<string, PyodideFunction>;
	runPython(source: string): unknown;
	setStdout(stream: PyodideStream): void;
	setStderr(stream: PyodideStream): void;
	setStdin(stream: { error: true }): void;
	unregisterJsModule(name: string): void;
};

declare module "*/pyodide.asm.mjs" {
	const createModule: (settings: Record<string, unknown>) => Promise<PyodideModule>;
	export default createModule;
}

declare module "*/stdlib.zip" {
	const bytes: ArrayBuffer;
	export default bytes;
}

declare module "*/meta.json" {
	const meta: Record<string, string>;
	export default meta;
}
