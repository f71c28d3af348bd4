import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";

type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

const speech = (name: string): string =>
	readFileSync(join(root, "packages/testing/fixtures/speech", name)).toString("base64");

/** Calls the API of a stack as the holder of a key. */
export const caller =
	(baseUrl: string, key: string): Call =>
	async (method, path, body) => {
		const response = await fetch(baseUrl + path, {
			method,
			headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
		return response.status === 204 ? undefined : await response.json();
	};

/** Makes what the pictures show: a week of an organisation that works with Parley. */
export async function fill(call: Call): Promise<void> {
	const jobs = [
		{ job_id: "interview", fixture: "minute.mp3", title: "Interview with the librarian", tags: ["archive"] },
		{ job_id: "support4711", fixture: "clip.m4a", title: "Support call 4711", tags: ["calls"] },
		{ job_id: "support4712", fixture: "03.flac", title: "Support call 4712", tags: ["calls"] },
		{ job_id: "boardmeeting", fixture: "vocabulary.flac", title: "Board meeting", tags: ["internal"] },
		{ job_id: "voicemail", fixture: "clip.ogg", title: "Voicemail, 12 May", tags: ["calls", "urgent"] },
	];
	const extras = {
		...{ summarization_config: {}, auto_chapters_config: {}, topic_detection_config: {} },
		...{ sentiment_analysis_config: {}, notification_config: [{ url: "https://hooks.acme.example/parley" }] },
	};
	for (const { job_id, fixture, ...tracking } of jobs)
		await call("POST", "/v1/batch/jobs", {
			...{ job_id, input_filename: fixture, input_base64: speech(fixture), tracking },
			...(job_id === "interview" && extras),
		});
	await call("POST", "/v1/batch/jobs", {
		...{ job_id: "lecture", input_url: "https://media.parley.invalid/lecture.mp3" },
		tracking: { title: "Lecture 7: tides" },
	});
	for (const { job_id } of jobs) await call("GET", `/v1/batch/jobs/${job_id}?wait=25`);
	const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
	for (const key of [
		{ label: "Billing service, production", family: "consumer", scopes: ["batch:read", "batch:write"] },
		{ label: "Call recorder", family: "batch", expires_at: days(5) },
		{
			label: "Nightly export",
			family: "consumer",
			scopes: ["batch:read", "audit:read"],
			expires_at: days(90),
		},
	])
		await call("POST", "/v1/keys", key);
	await call("POST", "/v1/batch/webhook-secret/rotate", {});
	for (const user of [
		{ email: "grace@acme.example", name: "Grace Hopper", role: "developer" },
		{ email: "viewer@acme.example", role: "viewer" },
	])
		await call("POST", "/v1/users", user);
	for (const entry of [
		{ name: "CRM_TOKEN", value: "9f2c61d0b7e84a35", description: "Token of the CRM" },
		{
			name: "SHOP_URL",
			kind: "variable",
			value: "https://shop.example/api",
			description: "Address of the shop",
		},
	])
		await call("POST", "/v1/agents/secrets", entry);
}
