import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callPlatform, createClient } from "../../test/client.ts";
import { app } from "../app.ts";
import { deploymentOf, regionalEnv } from "./deployment.ts";

const regionOf = async (headers: Record<string, string>, path = "/v1/me") => {
	const answer = await callPlatform("GET", path, undefined, { headers });
	return { status: answer.status, region: answer.headers.get("x-region"), code: answer.body.error?.code };
};

test("one region serves everyone without a setting, and every response names it", async () => {
	const { key } = await createClient();
	expect(await regionOf({ authorization: `Bearer ${key}` })).toMatchObject({
		status: 200,
		region: "us-east",
	});
	expect(await regionOf({})).toMatchObject({ status: 401, region: "us-east" });
	expect(await regionOf({}, "/nowhere")).toMatchObject({ status: 404, region: "us-east" });
	expect(await regionOf({}, "/v1/agents")).toMatchObject({ region: "us-east" });
});

test("a region that is none is 400, one that is not deployed 503", async () => {
	expect(await regionOf({ "x-region-override": "mars" })).toMatchObject({
		status: 400,
		code: "REGION_UNKNOWN",
	});
	expect(await regionOf({ "x-region-override": "eu-west" })).toMatchObject({
		status: 503,
		code: "REGION_UNAVAILABLE",
	});
	expect(await regionOf({ "x-world-part-override": "ap" })).toMatchObject({ status: 503 });
});

const settings = {
	...env,
	BASE_HOST: "api.parley.example",
	REGIONS: JSON.stringify([
		{ code: "eu-west" },
		{ code: "ap-south", bindings: { DEFAULT_MODEL: "MODEL_AP_SOUTH", BATCH: "BATCH_AP_SOUTH" } },
	]),
	MODEL_AP_SOUTH: "parley/south",
	BATCH_AP_SOUTH: { fetch: async () => new Response("batch of ap-south") } as unknown as Fetcher,
};

test("the setting says what is deployed, and a region has its own workers and engines", async () => {
	expect(deploymentOf(settings)).toEqual({
		regions: ["eu-west", "ap-south"],
		baseHost: "api.parley.example",
	});
	expect(regionalEnv(settings, "ap-south").DEFAULT_MODEL).toBe("parley/south");
	expect(regionalEnv(settings, "eu-west").DEFAULT_MODEL).toBe(env.DEFAULT_MODEL);
});

test("a regional host reaches the region's own workers", async () => {
	const batch = async (host: string) => {
		const response = await app.request(`https://${host}/v1/batch/jobs`, {}, settings);
		return [response.headers.get("x-region"), await response.text()];
	};
	expect(await batch("api.parley.example")).toEqual(["eu-west", "batch"]);
	expect(await batch("ap-south.api.parley.example")).toEqual(["ap-south", "batch of ap-south"]);
});
