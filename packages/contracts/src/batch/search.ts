import { z } from "zod";
import { queryInteger, Timestamp } from "../shared/common.ts";
import { JOB_ID, JOB_ID_MESSAGE } from "./job-submission.ts";

/** Longest query in characters. */
export const MAX_QUERY_LENGTH = 500;
/** Hits listed per job. */
export const MAX_HITS_PER_JOB = 5;
/** Longest snippet in characters. */
export const MAX_SNIPPET_LENGTH = 300;

export const SearchQuery = z.strictObject({
	q: z
		.string()
		.max(MAX_QUERY_LENGTH, `Must have at most ${MAX_QUERY_LENGTH} characters`)
		.meta({
			description: `Words to find, at most ${MAX_QUERY_LENGTH} characters. All of them must occur close together. Words in double quotes must follow each other. A word of three or more characters that ends in \`*\` matches the beginning of words. Case and accents do not count; other characters have no special meaning.`,
			example: "quarterly figures",
		}),
	limit: queryInteger(1, 50).default(10).describe("Jobs per page. Default 10, 1 to 50."),
	cursor: z.string().min(1).max(100).optional().describe("`next_cursor` of the page before"),
	job_id: z
		.string()
		.regex(JOB_ID, JOB_ID_MESSAGE)
		.optional()
		.describe("Searches the transcript of this job only"),
});
export type SearchQuery = z.output<typeof SearchQuery>;

export const SearchHit = z
	.object({
		text: z.string().meta({
			description: `Sentence that matches, as plain text of at most ${MAX_SNIPPET_LENGTH} characters`,
		}),
		highlights: z
			.array(z.tuple([z.int(), z.int()]))
			.describe("Matching words in `text`: start and end, in UTF-16 code units"),
		start_time: z.number().describe("Start of the sentence in seconds from the start of the audio"),
		end_time: z.number().describe("End of the sentence in seconds from the start of the audio"),
		speaker: z.string().nullable().describe("Label of the speaker or channel, where it is known"),
	})
	.meta({ id: "SearchHit" });
export type SearchHit = z.infer<typeof SearchHit>;

export const SearchedJob = z
	.object({
		job_id: z.string().describe("Id of the job"),
		title: z
			.string()
			.nullable()
			.describe("`tracking.title` of the job, or else the name of its file. Null when it has neither."),
		submitted_at: Timestamp.describe("Time at which the job was submitted"),
		duration_seconds: z.number().nullable().describe("Length of the audio in seconds"),
		revision: z.int().describe("Revision that was searched, the latest one"),
		hits: z
			.array(SearchHit)
			.describe(`First sentences that match, in time order, at most ${MAX_HITS_PER_JOB}`),
		has_more_hits: z.boolean().describe("Whether further sentences of this job match"),
	})
	.meta({ id: "SearchedJob" });
export type SearchedJob = z.infer<typeof SearchedJob>;

export const SearchResults = z
	.object({
		items: z.array(SearchedJob).describe("Jobs with matching transcripts, the newest first"),
		next_cursor: z
			.string()
			.nullable()
			.describe("Cursor of the next page. Null on the last page.")
			.meta({ example: "1a2b" }),
	})
	.meta({ id: "SearchResults" });
export type SearchResults = z.infer<typeof SearchResults>;
