import { call } from "../api/client.ts";
import { newJobId } from "../jobs/jobs-api.ts";
import { createStore } from "../ui/store.ts";
import { sendUpload } from "./send-upload.ts";
import { arrivedBytes, isSameFile, type JobOptions, type NewFile, type Upload } from "./upload.ts";
import { deleteRecords, loadRecords, saveRecords } from "./upload-records.ts";

const FILES_AT_ONCE = 3;
const SHOW_EVERY_MS = 200;
const SPEED_OVER_MS = 4_000;

/** All uploads of this tab, the oldest first. */
export const uploads = createStore<readonly Upload[]>([]);

const tab = crypto.randomUUID();
const tabLock = (id: string) => `parley-tab-${id}`;
const records = new Map<string, Upload>();
const files = new Map<string, File>();
const running = new Map<string, AbortController>();
const samples = new Map<string, { at: number; bytes: number }[]>();
let shown = 0;
const ended = new Set<() => void>();

/** Calls back whenever a job has been submitted. */
export function onSubmitted(then: () => void): () => void {
	ended.add(then);
	return () => ended.delete(then);
}

/** Finds the uploads that an earlier page left. Those of another open tab are left to it. */
export async function restoreUploads(): Promise<void> {
	// Held as long as the tab lives.
	void navigator.locks.request(tabLock(tab), () => new Promise(() => {}));
	const [found, { held = [] }] = await Promise.all([loadRecords(), navigator.locks.query()]);
	const open = new Set(held.map(({ name }) => name));
	const left = found.filter((upload) => !open.has(tabLock(upload.tab)) && !records.has(upload.jobId));
	for (const upload of left) {
		const state = upload.state === "failed" ? "failed" : "needs-file";
		const sentBytes = arrivedBytes(upload);
		records.set(upload.jobId, { ...upload, tab, state, sentBytes, speed: 0 });
	}
	show();
	await Promise.all(left.map(({ jobId }) => reopen(jobId)));
	startNext();
}

/** Opens the file of an upload again, where the browser still allows it without asking. */
async function reopen(jobId: string): Promise<void> {
	const handle = records.get(jobId)?.handle;
	if (!handle || (await permission(handle, "query")) !== "granted") return;
	const file = await handle.getFile().catch(() => undefined);
	const upload = records.get(jobId);
	if (!file || !upload || !isSameFile(upload, file)) return;
	files.set(jobId, file);
	change(jobId, { state: "waiting" });
}

type AskableHandle = FileSystemFileHandle & {
	queryPermission?: (options: { mode: "read" }) => Promise<PermissionState>;
	requestPermission?: (options: { mode: "read" }) => Promise<PermissionState>;
};

const permission = async (
	handle: AskableHandle,
	how: "query" | "request",
): Promise<PermissionState | undefined> =>
	how === "query" ? handle.queryPermission?.({ mode: "read" }) : handle.requestPermission?.({ mode: "read" });

/** Goes on with interrupted uploads whose files the browser may open again once the user allows it. */
export async function allowFiles(): Promise<void> {
	for (const { jobId, handle, state } of records.values()) {
		if (state !== "needs-file" || !handle) continue;
		if ((await permission(handle, "request")) === "granted") await reopen(jobId);
	}
	startNext();
}

/** Takes files that were chosen again for interrupted uploads, and returns the others. */
export function matchFiles(chosen: NewFile[]): NewFile[] {
	const rest = chosen.filter(({ file }) => {
		const upload = [...records.values()].find((one) => one.state === "needs-file" && isSameFile(one, file));
		if (!upload) return true;
		files.set(upload.jobId, file);
		change(upload.jobId, { state: "waiting" });
		return false;
	});
	startNext();
	return rest;
}

/** Queues files, each for a job of its own. */
export function addUploads(added: NewFile[], options: JobOptions): void {
	const fresh = added.map(({ file, handle }): Upload => {
		const jobId = newJobId();
		files.set(jobId, file);
		return {
			...{ jobId, name: file.name, size: file.size, type: file.type, lastModified: file.lastModified },
			...{ state: "waiting", sentBytes: 0, speed: 0, etags: {}, tab },
			options: { ...options, tracking: { title: file.name.slice(0, 500), ...options.tracking } },
			...(handle && { handle }),
		};
	});
	for (const upload of fresh) records.set(upload.jobId, upload);
	void saveRecords(fresh);
	show();
	startNext();
}

export function pauseUpload(jobId: string): void {
	change(jobId, { state: "paused", speed: 0 });
	running.get(jobId)?.abort();
}

export function resumeUpload(jobId: string): void {
	change(jobId, { state: files.has(jobId) ? "waiting" : "needs-file", problem: undefined });
	startNext();
}

export const pauseAll = (): void => {
	for (const { jobId, state } of records.values())
		if (state === "waiting" || state === "sending") pauseUpload(jobId);
};
export const resumeAll = (): void => {
	for (const { jobId, state } of records.values()) if (state === "paused") resumeUpload(jobId);
};

/** Ends an upload and removes what has arrived of it. */
export function discardUpload(jobId: string): void {
	const upload = records.get(jobId);
	if (!upload) return;
	records.delete(jobId);
	running.get(jobId)?.abort();
	forget(jobId);
	void deleteRecords([jobId]);
	show();
	// The storage removes by itself what this does not reach.
	if (upload.uploadId && upload.state !== "submitted")
		void call("DELETE /v1/batch/uploads/{upload_id}", { params: { upload_id: upload.uploadId } }).catch(
			() => {},
		);
	startNext();
}

/** Takes finished uploads off the list. */
export function clearSubmitted(): void {
	for (const { jobId, state } of records.values()) if (state === "submitted") records.delete(jobId);
	show();
}

function startNext(): void {
	for (const upload of records.values()) {
		if (running.size >= FILES_AT_ONCE) return;
		const file = files.get(upload.jobId);
		if (upload.state === "waiting" && file && !running.has(upload.jobId)) void start(upload, file);
	}
}

async function start(upload: Upload, file: File): Promise<void> {
	const { jobId } = upload;
	const controller = new AbortController();
	running.set(jobId, controller);
	change(jobId, { state: "sending" });
	try {
		await sendUpload(upload, file, {
			signal: controller.signal,
			onChange: (changed) => change(jobId, changed),
		});
		forget(jobId);
		change(jobId, { state: "submitted", sentBytes: upload.size, speed: 0 });
		void deleteRecords([jobId]);
		for (const then of ended) then();
	} catch (error) {
		if (!controller.signal.aborted)
			change(jobId, { state: "failed", speed: 0, problem: (error as Error).message });
	} finally {
		running.delete(jobId);
		startNext();
	}
}

function forget(jobId: string): void {
	files.delete(jobId);
	samples.delete(jobId);
}

function change(jobId: string, changed: Partial<Upload>): void {
	const upload = records.get(jobId);
	if (!upload) return;
	const next = { ...upload, ...changed };
	if (changed.sentBytes !== undefined && next.state === "sending")
		next.speed = measureSpeed(jobId, changed.sentBytes);
	records.set(jobId, next);
	if (changed.etags || (changed.state && changed.state !== "submitted")) void saveRecords([next]);
	show();
}

function measureSpeed(jobId: string, bytes: number): number {
	const now = performance.now();
	const kept = (samples.get(jobId) ?? []).filter(({ at }) => now - at < SPEED_OVER_MS);
	kept.push({ at: now, bytes });
	samples.set(jobId, kept);
	const [first] = kept;
	return first && now > first.at ? Math.max(0, ((bytes - first.bytes) / (now - first.at)) * 1000) : 0;
}

/** Shows the state a few times a second at most, however many bytes are sent. */
function show(): void {
	if (shown) return;
	shown = window.setTimeout(() => {
		shown = 0;
		uploads.set(() => [...records.values()]);
	}, SHOW_EVERY_MS);
}
