import { z } from "zod";
import { RevisionSelector } from "./revisions.ts";

export const GetSpeakersQuery = z.strictObject({
	revision: RevisionSelector.default("latest").describe(
		"Number of a revision, or `latest`. Default `latest`.",
	),
});
export type GetSpeakersQuery = z.output<typeof GetSpeakersQuery>;

export const Speaker = z
	.object({
		label: z.string().describe("Label of the speaker, or of the channel where only channels are known"),
		word_count: z.int().describe("Words that they speak"),
		seconds: z.number().describe("Time that their words take, in seconds"),
		first_time: z.number().describe("Start of their first word in seconds from the start of the audio"),
	})
	.meta({ id: "Speaker" });
export type Speaker = z.infer<typeof Speaker>;

export const Speakers = z
	.object({
		revision: z.int().describe("Number of the revision"),
		items: z.array(Speaker).describe("Speakers in the order of their first words"),
	})
	.meta({ id: "Speakers" });
export type Speakers = z.infer<typeof Speakers>;
