import type { Upload } from "./upload.ts";

// What is known of unfinished uploads, in the browser's database: it outlives the page. It holds no recording and no key.
const NAME = "parley-uploads";
const STORE = "uploads";

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
	opened ??= new Promise((done, fail) => {
		const request = indexedDB.open(NAME, 1);
		request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "jobId" });
		request.onsuccess = () => done(request.result);
		request.onerror = () => fail(request.error);
	});
	return opened;
}

async function run<T>(
	mode: IDBTransactionMode,
	work: (store: IDBObjectStore) => IDBRequest<T> | undefined,
): Promise<T | undefined> {
	const transaction = (await open()).transaction(STORE, mode);
	const request = work(transaction.objectStore(STORE));
	return new Promise((done, fail) => {
		transaction.oncomplete = () => done(request?.result);
		transaction.onerror = () => fail(transaction.error);
		transaction.onabort = () => fail(transaction.error);
	});
}

/** A browser that keeps nothing, as in a private window, uploads all the same. */
const optional = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

export const loadRecords = async (): Promise<Upload[]> =>
	(await optional(run<Upload[]>("readonly", (store) => store.getAll()))) ?? [];

export const saveRecords = (uploads: Upload[]): Promise<unknown> =>
	optional(
		run("readwrite", (store) => {
			for (const upload of uploads) store.put(upload);
			return undefined;
		}),
	);

export const deleteRecords = (jobIds: string[]): Promise<unknown> =>
	optional(
		run("readwrite", (store) => {
			for (const jobId of jobIds) store.delete(jobId);
			return undefined;
		}),
	);
