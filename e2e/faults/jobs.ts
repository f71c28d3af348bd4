// A hundred jobs of mixed kinds, the same in each run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sleep } from "@parley/dev-stack/processes/processes";
import { root } from "@parley/dev-stack/settings/configs";
import type { Client } from "./client.ts";
import type { FlakyHost } from "./flaky-host.ts";

const SPEECH = join(root, "packages/testing/fixtures/speech");
const speech = (name: string) => readFileSync(join(SPEECH, name));
const CLIPS = ["clip.wav", "clip.mp3", "clip.flac", "clip.ogg", "clip.opus", "clip.m4a", "clip.webm"];
const SENTENCES = Array.from({ length: 20 }, (_, at) => `${String(at + 1).padStart(2, "0")}.flac`);

/** MPEG frames stand for themselves, so that one recording after another is a longer one: five minutes, two chunks. */
const LONG = "five-minutes.mp3";

export const HOSTED: Record<string, Buffer> = {
	...Object.fromEntries([...CLIPS, ...SENTENCES].map((name) => [name, speech(name)])),
	[LONG]: Buffer.concat(Array.from({ length: 5 }, () => speech("minute.mp3"))),
	"page.html": Buffer.from("<!doctype html><title>Not here any more</title><p>Sorry.".repeat(20)),
};

export type Kind =
	| "inline"
	| "upload"
	| "url"
	| "long url"
	| "minute"
	| "extras"
	| "not audio"
	| "not there"
	| "page";
export type TestJob = {
	id: string;
	kind: Kind;
	ends: "DONE" | "FAILED";
	submit: (client: Client) => Promise<void>;
};

/** @param notify where each job's end is told. */
export function hundredJobs(host: FlakyHost, notify: string): TestJob[] {
	const shares: [Kind, number][] = [
		["inline", 30],
		["upload", 20],
		["url", 20],
		["long url", 8],
		["minute", 6],
		["extras", 6],
		["not audio", 4],
		["not there", 3],
		["page", 3],
	];
	const kinds = shares.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
	// Every seventh of a prime number of places, so that the kinds come mixed.
	const mixed = kinds.map((_, at) => kinds[(at * 7) % kinds.length] as Kind);
	return mixed.map((kind, at) => {
		const id = `faults${String(at).padStart(3, "0")}`;
		const name = [...CLIPS, ...SENTENCES][at % (CLIPS.length + SENTENCES.length)] ?? "clip.wav";
		const common = {
			job_id: id,
			notification_config: [{ url: notify }],
			tracking: { reference: id, tags: [kind] },
		};
		const ends = ["not audio", "not there", "page"].includes(kind) ? "FAILED" : "DONE";
		return { id, kind, ends, submit: (client) => submit(client, kind, name, common, host) };
	});
}

async function submit(
	client: Client,
	kind: Kind,
	name: string,
	common: { job_id: string },
	host: FlakyHost,
): Promise<void> {
	const queue = async (input: object) => {
		const { status, body } = await client("POST", "/v1/batch/jobs", { ...common, ...input });
		if (status !== 202)
			throw new Error(`${common.job_id} (${kind}) was answered ${status}: ${JSON.stringify(body)}`);
	};
	const inline = (bytes: Buffer, input_filename: string) =>
		queue({ input_base64: bytes.toString("base64"), input_filename });
	switch (kind) {
		case "inline":
			return inline(speech(name), name);
		case "minute":
			return inline(speech("minute.mp3"), "minute.mp3");
		case "extras":
			return queue({
				input_base64: speech("minute.mp3").toString("base64"),
				input_filename: "minute.mp3",
				summarization_config: {},
				sentiment_analysis_config: {},
			});
		case "upload":
			return queue({ s3_key: await upload(client, common.job_id, name) });
		case "url":
			return queue({ input_url: host.url(name) });
		case "long url":
			return queue({ input_url: host.url(LONG) });
		case "not audio":
			return inline(Buffer.from(`${common.job_id}: this is text, not sound. `.repeat(20)), "speech.wav");
		case "not there":
			return queue({ input_url: host.url("nothing.wav") });
		case "page":
			return queue({ input_url: host.url("page.html") });
	}
}

/** Presigns and puts until both are through; a presign call with the same job_id gives a fresh URL. */
async function upload(client: Client, job_id: string, filename: string): Promise<string> {
	for (let tries = 0; ; tries++) {
		const { status, body } = await client<{ upload: { url: string; s3_key: string; headers: HeadersInit } }>(
			"POST",
			"/v1/batch/jobs",
			{ mode: "presign", job_id, filename },
		);
		if (status !== 200) throw new Error(`${job_id}: presign answered ${status}: ${JSON.stringify(body)}`);
		const { url, headers, s3_key } = body.upload;
		const put = await fetch(url, { method: "PUT", headers, body: new Uint8Array(speech(filename)) }).catch(
			() => undefined,
		);
		if (put?.ok) return s3_key;
		if (tries === 100) throw new Error(`${job_id}: the upload never came through`);
		await sleep(500);
	}
}
