import { z } from "zod";

export const WORLD_PARTS = ["na", "eu", "ap"] as const;
export const WorldPart = z
	.enum(WORLD_PARTS)
	.meta({ id: "WorldPart", description: "North America, Europe, or Asia and the Pacific" });
export type WorldPart = z.infer<typeof WorldPart>;

export const REGIONS = [
	"us-east",
	"us-west",
	"eu-west",
	"eu-north",
	"ap-south",
	"ap-southeast",
	"ap-northeast",
] as const;
export const Region = z.enum(REGIONS).meta({ id: "Region", description: "Region of a deployment" });
export type Region = z.infer<typeof Region>;

/** Each region's world part, city and place on earth in degrees. */
export const REGION_FACTS = {
	"us-east": { worldPart: "na", name: "US East (Virginia)", latitude: 38.9, longitude: -77.4 },
	"us-west": { worldPart: "na", name: "US West (Oregon)", latitude: 45.5, longitude: -122.7 },
	"eu-west": { worldPart: "eu", name: "EU West (Frankfurt)", latitude: 50.1, longitude: 8.7 },
	"eu-north": { worldPart: "eu", name: "EU North (Stockholm)", latitude: 59.3, longitude: 18.1 },
	"ap-south": { worldPart: "ap", name: "Asia Pacific South (Mumbai)", latitude: 19.1, longitude: 72.9 },
	"ap-southeast": {
		worldPart: "ap",
		name: "Asia Pacific Southeast (Singapore)",
		latitude: 1.35,
		longitude: 103.8,
	},
	"ap-northeast": {
		worldPart: "ap",
		name: "Asia Pacific Northeast (Tokyo)",
		latitude: 35.7,
		longitude: 139.7,
	},
} as const satisfies Record<
	Region,
	{ worldPart: WorldPart; name: string; latitude: number; longitude: number }
>;
