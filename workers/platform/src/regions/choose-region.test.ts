import { REGION_FACTS, REGIONS, type Region, WORLD_PARTS } from "@parley/contracts/platform/regions";
import { describe, expect, test } from "vitest";
import { chooseRegion, type Deployment, type RegionRequest } from "./choose-region.ts";

const everywhere: Deployment = { regions: [...REGIONS], baseHost: "api.parley.example" };
const HOSTS = ["api.parley.example", ...REGIONS.map((region) => `${region}.api.parley.example`)];
const hostRegion = (host: string) => REGIONS.find((region) => host === `${region}.api.parley.example`);

function choose(given: Partial<RegionRequest>, deployment = everywhere): Region {
	const request = {
		regionOverride: null,
		worldPartOverride: null,
		hostname: "api.parley.example",
		place: undefined,
	};
	return chooseRegion({ ...request, ...given }, deployment);
}

describe("of 7 regions, 3 world parts and 8 hosts in every combination", () => {
	for (const regionOverride of [null, ...REGIONS]) {
		for (const worldPartOverride of [null, ...WORLD_PARTS]) {
			test(`override ${regionOverride ?? "none"}, world part ${worldPartOverride ?? "none"}`, () => {
				for (const hostname of HOSTS) {
					const chosen = choose({ regionOverride, worldPartOverride, hostname });
					if (regionOverride) expect(chosen).toBe(regionOverride);
					else if (worldPartOverride) expect(REGION_FACTS[chosen].worldPart).toBe(worldPartOverride);
					else expect(chosen).toBe(hostRegion(hostname) ?? "us-east");
				}
			});
		}
	}
});

test.each([
	["Lisbon", 38.7, -9.1, "eu-west"],
	["Helsinki", 60.2, 24.9, "eu-north"],
	["Boston", 42.4, -71.1, "us-east"],
	["Honolulu", 21.3, -157.9, "us-west"],
	["Auckland", -36.8, 174.8, "ap-southeast"],
	["Delhi", 28.6, 77.2, "ap-south"],
	["Kamchatka, beyond the date line", 53, 158.7, "ap-northeast"],
])("a caller in %s is served by the nearest region", (_city, latitude, longitude, region) => {
	expect(choose({ place: { latitude, longitude } })).toBe(region);
});

test("a world part resolves to the region nearest to the caller", () => {
	const place = { latitude: 35.7, longitude: 139.7 };
	expect(choose({ worldPartOverride: "na", place })).toBe("us-west");
	expect(choose({ worldPartOverride: "eu", place: { latitude: 60, longitude: 18 } })).toBe("eu-north");
});

test.each([
	{ regionOverride: "mars" },
	{ regionOverride: "" },
	{ regionOverride: "US-EAST" },
	{ worldPartOverride: "africa" },
	{ worldPartOverride: "" },
	{ hostname: "mars.api.parley.example" },
])("%o names nothing and is refused", (given) => {
	expect(() => choose(given)).toThrow(expect.objectContaining({ code: "REGION_UNKNOWN" }));
});

describe("where only one region is deployed", () => {
	const single: Deployment = { regions: ["eu-west"], baseHost: undefined };

	test("it serves everyone who asks for nothing else", () => {
		expect(choose({}, single)).toBe("eu-west");
		expect(choose({ place: { latitude: 35.7, longitude: 139.7 } }, single)).toBe("eu-west");
		expect(choose({ worldPartOverride: "eu" }, single)).toBe("eu-west");
		expect(choose({ hostname: "eu-west.localhost" }, single)).toBe("eu-west");
		expect(choose({ hostname: "eu-west" }, single)).toBe("eu-west");
	});

	test.each([{ regionOverride: "eu-north" }, { worldPartOverride: "na" }, { hostname: "us-east.localhost" }])(
		"%o is not deployed",
		(given) => {
			expect(() => choose(given, single)).toThrow(expect.objectContaining({ code: "REGION_UNAVAILABLE" }));
		},
	);
});
