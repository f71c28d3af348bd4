import {
	REGION_FACTS,
	REGIONS,
	type Region,
	WORLD_PARTS,
	type WorldPart,
} from "@parley/contracts/platform/regions";
import { ApiError } from "@parley/contracts/shared/api-error";

/** Parts of a request that choose its region. */
export type RegionRequest = {
	regionOverride: string | null;
	worldPartOverride: string | null;
	hostname: string;
	/** Degrees, as far as the edge knows where the caller is. */
	place: { latitude: number; longitude: number } | undefined;
};

export type Deployment = {
	/** The first one serves callers of whom nothing is known. */
	regions: readonly [Region, ...Region[]];
	/** Host below which regional hosts are `<region>.<baseHost>`. When undefined, any host whose first label is a region is regional. */
	baseHost: string | undefined;
};

/**
 * The region for a request: the region override, else the world part override, else the regional host, else the nearest.
 * @throws ApiError REGION_UNKNOWN for a value that names none; REGION_UNAVAILABLE for one that is not deployed.
 */
export function chooseRegion(request: RegionRequest, deployment: Deployment): Region {
	if (request.regionOverride !== null)
		return deployed(readRegion(request.regionOverride, "X-Region-Override"), deployment);
	if (request.worldPartOverride !== null) return withinWorldPart(request, deployment);
	const regionOfHost = readHost(request.hostname, deployment.baseHost);
	if (regionOfHost) return deployed(regionOfHost, deployment);
	return nearest(deployment.regions, request.place);
}

/** The region that a host name stands for, if it is a regional one. */
function readHost(hostname: string, baseHost: string | undefined): Region | undefined {
	const [label = ""] = hostname.split(".", 1);
	if (!baseHost) return hostname === label ? undefined : REGIONS.find((region) => region === label);
	return hostname === `${label}.${baseHost}` ? readRegion(label, "host") : undefined;
}

function withinWorldPart(request: RegionRequest, deployment: Deployment): Region {
	const worldPart = WORLD_PARTS.find((part) => part === request.worldPartOverride);
	if (!worldPart)
		throw unknown("world part", request.worldPartOverride, "X-World-Part-Override", WORLD_PARTS);
	const [first, ...others] = deployment.regions.filter((region) => isWithin(region, worldPart));
	if (!first)
		throw new ApiError("REGION_UNAVAILABLE", `No region of the world part ${worldPart} is deployed here`);
	return nearest([first, ...others], request.place);
}

function readRegion(value: string, where: string): Region {
	const region = REGIONS.find((code) => code === value);
	if (!region) throw unknown("region", value, where, REGIONS);
	return region;
}

function deployed(region: Region, { regions }: Deployment): Region {
	if (regions.includes(region)) return region;
	throw new ApiError("REGION_UNAVAILABLE", `The region ${region} is not deployed here`);
}

function nearest(regions: readonly [Region, ...Region[]], place: RegionRequest["place"]): Region {
	if (!place) return regions[0];
	return regions.reduce((best, region) =>
		distance(REGION_FACTS[region], place) < distance(REGION_FACTS[best], place) ? region : best,
	);
}

type Place = { latitude: number; longitude: number };

/** Grows with the distance on the globe: the haversine, unscaled. */
function distance(a: Place, b: Place): number {
	const [latitudeA, latitudeB] = [radians(a.latitude), radians(b.latitude)];
	return (
		Math.sin((latitudeB - latitudeA) / 2) ** 2 +
		Math.cos(latitudeA) * Math.cos(latitudeB) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
	);
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const isWithin = (region: Region, worldPart: WorldPart): boolean =>
	REGION_FACTS[region].worldPart === worldPart;

function unknown(what: string, value: string | null, where: string, known: readonly string[]): ApiError {
	const message = `Unknown ${what} ${JSON.stringify(value)}; known are ${known.join(", ")}`;
	return new ApiError("REGION_UNKNOWN", message, { fields: [{ path: `header.${where}`, message }] });
}
