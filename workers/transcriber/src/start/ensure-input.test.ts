import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

const audio = wav(3);
const right = Buffer.from(await crypto.subtle.digest("SHA-256", audio)).toString("hex");

/** A job of an upload for which a checksum was announced, or none. */
async function start(sha256: string | null) {
	const { inputMetadata } = await insertJob({ audio });
	const row = await insertJob({ audio, inputMetadata: { ...inputMetadata, source: "upload", sha256 } });
	await createPipeline(outside()).deliver([startMessage(row)]);
	return read(row);
}

test("an upload with the SHA-256 that was announced is taken", async () => {
	expect(await start(right)).toMatchObject({ status: "DECODING", inputMetadata: { sha256: right } });
});

test("an upload whose SHA-256 differs from the one announced fails its job", async () => {
	expect(await start("0".repeat(64))).toMatchObject({
		status: "FAILED",
		error: {
			code: "input_checksum_mismatch",
			message: "The SHA-256 of the input differs from the one announced.",
		},
	});
});

test("no SHA-256 is computed for an upload that announced none", async () => {
	expect(await start(null)).toMatchObject({ status: "DECODING", inputMetadata: { sha256: null } });
});
