import { env, exports } from "cloudflare:workers";
import { SCOPES } from "@parley/contracts/shared/scopes";
import { createOrganisation, issueKey } from "@parley/testing/organisation";
import { expect, test } from "vitest";
import { insertJob } from "../test/client.ts";
import { app } from "./app.ts";

const organisation = await createOrganisation(env.DB);
const stranger = await createOrganisation(env.DB);
const theirs = await insertJob(stranger.id, { status: "DONE" });

async function call(
	spec: { method: string; path: string },
	headers: Record<string, string>,
	{ jobId = "nobody", body, query = "" }: { jobId?: string; body?: string; query?: string } = {},
) {
	const path = spec.path.replace("{job_id}", jobId).replace("{revision}", "0");
	const url = `https://batch.parley.example${path}${query}`;
	const response = await exports.default.fetch(
		new Request(url, { method: spec.method.toUpperCase(), headers, ...(body && { body }) }),
	);
	return { status: response.status, body: await response.text() };
}

const error = (message: string) => JSON.stringify({ error: message });
const withKey = (key: string) => ({ "x-api-key": key, "content-type": "application/json" });

const ofOneJob = app.specs.filter(({ params }) => params?.shape.job_id);
const { paths } = app.describe();
const operationOf = ({ path, method }: { path: string; method: string }) => paths[path]?.[method];
const exampleOf = (spec: { path: string; method: string }): object =>
	operationOf(spec)?.requestBody?.content?.["application/json"]?.example as object;

/** The request that the reference shows, where an operation has a body. */
const bodyOf = (spec: { path: string; method: string }) => {
	const example = exampleOf(spec);
	return example && { body: JSON.stringify(example) };
};
/** Queries without which an operation answers nothing. */
const required: Record<string, string> = { "/v1/batch/search": "q=a&" };

const badKeys: Record<string, string>[] = [
	{},
	{ "x-api-key": "parley_bt_wrong" },
	{ authorization: "Bearer nonsense" },
];

test.each(app.specs)("$method $path needs a valid key", async (spec) => {
	for (const headers of badKeys)
		expect(await call(spec, headers)).toEqual({ status: 401, body: error("Invalid API key") });
});

test.each(app.specs)("$method $path needs the scope $access", async (spec) => {
	const scopes = SCOPES.filter((scope) => scope !== spec.access);
	const { key } = await issueKey(env.DB, organisation.id, { scopes });
	expect(await call(spec, withKey(key))).toEqual({
		status: 403,
		body: error(`This API key lacks the scope ${spec.access}`),
	});
});

test.each(ofOneJob)("$method $path knows no job of another organisation", async (spec) => {
	const body = bodyOf(spec);
	const foreign = await call(spec, withKey(organisation.key), { jobId: theirs.jobId, ...body });
	expect(foreign).toEqual({ status: 404, body: error(`Job not found: ${theirs.jobId}`) });
	expect(await call(spec, withKey(organisation.key), { jobId: "nobody", ...body })).toEqual({
		status: 404,
		body: error("Job not found: nobody"),
	});
});

test.each(ofOneJob)("$method $path refuses an id that could be nobody's", async (spec) => {
	const answer = await call(spec, withKey(organisation.key), { jobId: "a-b", ...bodyOf(spec) });
	expect(answer).toEqual({ status: 400, body: error("job_id must be alphanumeric") });
});

test.each(app.specs.filter(({ body }) => body))("$method $path refuses an unknown property", async (spec) => {
	const body = JSON.stringify({ ...exampleOf(spec), surprise: 1 });
	const answer = await call(spec, withKey(organisation.key), { body });
	expect(answer).toEqual({ status: 400, body: error("surprise: Unknown property") });
});

test.each(app.specs.filter(({ query }) => query))(
	"$method $path refuses an unknown parameter",
	async (spec) => {
		const answer = await call(spec, withKey(organisation.key), {
			query: `?${required[spec.path] ?? ""}surprise=1`,
		});
		const known = Object.keys(spec.query?.shape ?? {}).join(", ");
		expect(answer).toEqual({
			status: 400,
			body: error(`query.surprise: Unknown parameter; known: ${known}`),
		});
	},
);

test.each(app.specs)("$method $path documents its refusals", async (spec) => {
	const statuses = Object.keys(operationOf(spec)?.responses ?? {});
	expect(statuses).toEqual(expect.arrayContaining(["401", "403", "429", "500"]));
	const namesJob = spec.params !== undefined || spec.query?.shape.job_id !== undefined;
	expect(statuses.includes("404")).toBe(namesJob);
});

test("an unknown path answers in the plane's error body", async () => {
	expect(await call({ method: "get", path: "/v1/batch/nothing" }, {})).toEqual({
		status: 404,
		body: error("Path not found: /v1/batch/nothing"),
	});
});
