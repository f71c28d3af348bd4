// The SDK's one call for an upload and the command above it, against the real stack: in one PUT, in parts, after a break.
import { execFile } from "node:child_process";
import { mkdtempSync, openAsBlob, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@parley/dev-stack/settings/configs";
import { afterAll, expect, inject, test } from "vitest";
import { type BatchClient, createBatchClient } from "../../packages/sdk/src/batch.ts";
import type { UploadState } from "../../packages/sdk/src/upload.ts";
import { speechFixture } from "./batch-client.ts";

const MIB = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), "parley-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A WAV file of so many bytes on disk: the clip, then silence. */
function recording(name: string, bytes: number): string {
	const file = Buffer.alloc(bytes);
	speechFixture("clip.wav").copy(file);
	file.writeUInt32LE(bytes - 8, 4);
	file.writeUInt32LE(bytes - 44, 40);
	const path = join(folder, name);
	writeFileSync(path, file);
	return path;
}

/** A client that counts its PUTs, and whose line is cut at those that `isCut` names. */
function createClient(isCut: (put: number) => boolean = () => false): {
	client: BatchClient;
	puts: () => number;
} {
	let puts = 0;
	const client = createBatchClient({
		baseUrl: inject("baseUrl"),
		apiKey: inject("keys").batch_key,
		fetch: async (input, init) => {
			if (init?.method === "PUT" && isCut(++puts)) throw new TypeError("the line is cut");
			return fetch(input, init);
		},
	});
	return { client, puts: () => puts };
}

test("a small file goes up in one PUT, and says what it is", async () => {
	const { client, puts } = createClient();
	const audio = await openAsBlob(recording("small.wav", 200_000));
	const sent: number[] = [];
	const uploaded = await client.upload(audio, {
		filename: "small.wav",
		onProgress: (bytes) => sent.push(bytes),
	});
	expect([puts(), sent]).toEqual([1, [200_000]]);
	await client.submit(uploaded);
	const job = await client.wait(uploaded.job_id);
	expect(job).toMatchObject({ status: "DONE", input_metadata: { size_bytes: 200_000, source: "upload" } });
});

test("a larger one goes up in parts, goes on after a break with what is missing, and becomes one job", async () => {
	const path = recording("large.wav", 11 * MIB);
	const options = { filename: "large.wav", partsAboveBytes: 5 * MIB, partSizeBytes: 5 * MIB };
	const states: UploadState[] = [];
	const onState = (state: UploadState) => states.push(state);
	// The first two parts arrive, and the third never does.
	const broken = createClient((put) => put > 2);
	await expect(broken.client.upload(await openAsBlob(path), { ...options, onState })).rejects.toThrow(
		"the line is cut",
	);
	expect(Object.keys(states.at(-1)?.etags ?? {})).toHaveLength(2);

	// A passing failure costs one more PUT of the part that is missing.
	const { client, puts } = createClient((put) => put === 1);
	const sent: number[] = [];
	const uploaded = await client.upload(await openAsBlob(path), {
		...options,
		resume: states.at(-1),
		onProgress: (bytes) => sent.push(bytes),
	});
	expect(puts()).toBe(2);
	expect(sent.at(-1)).toBe(11 * MIB);
	expect(sent[0]).toBeGreaterThan(5 * MIB);
	// Once more is the same, and sends nothing.
	const again = createClient();
	expect(await again.client.upload(await openAsBlob(path), { ...options, resume: states.at(-1) })).toEqual(
		uploaded,
	);
	expect(again.puts()).toBe(0);

	await client.submit(uploaded);
	const job = await client.wait(uploaded.job_id);
	expect(job).toMatchObject({ status: "DONE", input_metadata: { size_bytes: 11 * MIB } });
	expect(await client.transcript(uploaded.job_id, "txt")).toContain("payment");
}, 180_000);

test("the remembered upload of a file of another size is passed over", async () => {
	const { client } = createClient();
	const options = { filename: "a.wav", partsAboveBytes: 0, partSizeBytes: 5 * MIB };
	const states: UploadState[] = [];
	const first = await client.upload(await openAsBlob(recording("a.wav", 100_000)), {
		...options,
		onState: (state) => states.push(state),
	});
	const other = await openAsBlob(recording("b.wav", 120_000));
	expect((await client.upload(other, { ...options, resume: states.at(-1) })).job_id).not.toBe(first.job_id);
});

test("the command sends a file above its threshold in parts, and forgets the upload once it is a job", async () => {
	const path = recording("call.wav", 2 * MIB);
	const cache = join(folder, "cache");
	const bin = join(root, "packages/cli/bin/parley.mjs");
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[bin, "transcribe", path, "--parts-above", "1"],
		{
			env: {
				...process.env,
				PARLEY_URL: inject("baseUrl"),
				PARLEY_API_KEY: inject("keys").batch_key,
				XDG_CACHE_HOME: cache,
			},
		},
	);
	expect(stdout).toContain("payment");
	expect(readdirSync(join(cache, "parley/uploads"))).toEqual([]);
}, 120_000);
