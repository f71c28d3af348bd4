import { env } from "cloudflare:test";
import { expect, test } from "vitest";
import { type Begun, createObjectWriter } from "./store-stream.ts";

const MIB = 1024 * 1024;
const patterned = (size: number) => new Uint8Array(size).map((_, index) => index % 251);

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
	return Buffer.from(await crypto.subtle.digest("SHA-256", bytes)).toString("hex");
}

async function bytesOf(key: string): Promise<Uint8Array<ArrayBuffer>> {
	const object = await env.MEDIA.get(key);
	return new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
}

test.each([0, 1, 8 * MIB - 1, 8 * MIB, 8 * MIB + 1, 16 * MIB, 20 * MIB])(
	"%d bytes are stored and counted as they came",
	async (size) => {
		const bytes = patterned(size);
		const writer = createObjectWriter(env.MEDIA, `streams/${size}`);
		for (let at = 0; at < size; at += 3 * MIB + 7) await writer.write(bytes.slice(at, at + 3 * MIB + 7));
		expect(writer.size()).toBe(size);
		const stored = await writer.finish();
		expect(stored).toMatchObject({ key: `streams/${size}`, size, sha256: await sha256(bytes) });
		expect((await env.MEDIA.head(stored.key))?.etag).toBe(stored.etag);
		expect(await sha256(await bytesOf(stored.key))).toBe(stored.sha256);
	},
);

test("what one writer began another one carries on, and the whole is counted", async () => {
	const bytes = patterned(20 * MIB);
	const marks: Begun[] = [];
	const first = createObjectWriter(env.MEDIA, "streams/resumed", {
		onPart: async (begun) => void marks.push(structuredClone(begun)),
	});
	await first.write(bytes.subarray(0, 17 * MIB));
	expect(marks.map(({ parts }) => parts.length)).toEqual([0, 1, 2]);
	const second = createObjectWriter(env.MEDIA, "streams/resumed", { begun: marks.at(-1) });
	expect(second.size()).toBe(16 * MIB);
	await second.write(bytes.subarray(16 * MIB));
	expect(await second.finish()).toMatchObject({ size: 20 * MIB, sha256: await sha256(bytes) });
});

test("an aborted writer leaves nothing", async () => {
	const marks: Begun[] = [];
	const writer = createObjectWriter(env.MEDIA, "streams/abandoned", {
		onPart: async (begun) => void marks.push(begun),
	});
	await writer.write(new Uint8Array(9 * MIB));
	await writer.abandon();
	const upload = env.MEDIA.resumeMultipartUpload("streams/abandoned", marks[0]?.multipartId ?? "");
	await expect(upload.uploadPart(1, "x")).rejects.toThrow("does not exist");
	expect(await env.MEDIA.head("streams/abandoned")).toBeNull();
});
