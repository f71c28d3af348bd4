import type { CatalogModel, CatalogPage } from "@parley/contracts/platform/catalog";
import { expect, test } from "vitest";
import { callPlatform, createClient } from "../../test/client.ts";
import { matchesQuery } from "./catalog-filter.ts";

const list = (query = "") => callPlatform<CatalogPage>("GET", `/v1/catalog/models${query}`);
const codes = async (query: string) => (await list(query)).body.items.map(({ code }) => code);

test("the catalog without a key shows the configured models and nothing of an organisation", async () => {
	const { status, body } = await list();
	expect(status).toBe(200);
	expect(body.meta).toEqual({ page: 1, page_size: 20, total: 4, pages: 1 });
	expect(body.items.map(({ code }) => code)).toEqual([
		"acme/voice:1",
		"acme/whisper:large",
		"parley/classical",
		"parley/local",
	]);
	expect(body.items[3]).toMatchObject({
		service_type: "speech_to_text",
		provider: { code: "parley" },
		streaming: true,
		batch: true,
		is_default: true,
		available_regions: ["us-east"],
		region_details: [{ code: "us-east", world_part: "na", available: true }],
		pricing: { unit: "audio_second", currency: "USD", min_price: 0, price: null },
		personalised: false,
		available: null,
	});
});

test("the catalog with a key shows the organisation's prices and availability", async () => {
	const { call } = await createClient();
	const { body } = await call<CatalogModel>("GET", "/v1/catalog/models/acme/whisper:large");
	expect(body).toMatchObject({
		personalised: true,
		available: true,
		pricing: { min_price: 0.002, price: 0.002 },
	});
	const broke = await createClient({ creditSeconds: 0 });
	const spent = await broke.call<CatalogModel>("GET", "/v1/catalog/models/parley/local");
	expect(spent.body).toMatchObject({ personalised: true, available: false });
	expect(await callPlatform("GET", "/v1/catalog/models", undefined, { key: "wrong" })).toMatchObject({
		status: 401,
	});
});

test("a code keeps its slashes and colons, encoded or not", async () => {
	for (const path of ["acme/whisper:large", "acme%2Fwhisper%3Alarge", "acme/whisper%3Alarge"])
		expect(await callPlatform("GET", `/v1/catalog/models/${path}`)).toMatchObject({
			status: 200,
			body: { code: "acme/whisper:large" },
		});
	expect(await callPlatform("GET", "/v1/catalog/models/acme/whisper")).toMatchObject({
		status: 404,
		body: { error: { code: "MODEL_NOT_FOUND" } },
	});
});

test("filters narrow the list, all of them together", async () => {
	expect(await codes("?service_type=text_to_speech")).toEqual(["acme/voice:1"]);
	expect(await codes("?language=en-GB&service_type=speech_to_text")).toEqual([
		"acme/whisper:large",
		"parley/local",
	]);
	expect(await codes("?language=de&service_type=speech_to_text")).toEqual(["acme/whisper:large"]);
	expect(await codes("?provider=parley")).toEqual(["parley/classical", "parley/local"]);
	expect(await codes("?region=us-east&search=WHISPER")).toEqual(["acme/whisper:large"]);
	expect(await codes("?region=eu-west")).toEqual([]);
	expect(await codes("?capability=word_confidence")).toEqual(["parley/local"]);
	expect(await codes("?capability=word_confidence&capability=speed")).toEqual([]);
});

test("the models behind the extras of batch jobs are listed with what they offer", async () => {
	const { body } = await list("?service_type=audio_intelligence");
	expect(body.items).toMatchObject([
		{ code: "parley/classical", languages: ["en"], batch: true, streaming: false, is_default: false },
	]);
	expect(await codes("?capability=audio_events.music")).toEqual(["parley/classical"]);
	expect(await codes("?capability=translation")).toEqual([]);
});

test("pages cut the list", async () => {
	const { body } = await list("?page=2&page_size=2");
	expect(body.items.map(({ code }) => code)).toEqual(["parley/classical", "parley/local"]);
	expect(body.meta).toEqual({ page: 2, page_size: 2, total: 4, pages: 2 });
});

test.each([
	"?colour=blue",
	"?page=0",
	"?page_size=101",
	"?region=mars",
	"?service_type=x",
	"?language=",
	"?page=1&page=2",
])("%s is 422", async (query) => {
	expect(await list(query)).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_FAILED" } } });
});

test("a model of any language speaks every language", () => {
	const model = { languages: ["any"], capabilities: [] } as unknown as CatalogModel;
	expect(matchesQuery(model, { page: 1, page_size: 20, language: "cy" })).toBe(true);
});
