import { z } from "zod";
import { pageOf, pageQuery, queryInteger, Timestamp } from "../shared/common.ts";

/** Words that a transcript may have to be edited. Ten hours of speech have about 90,000. */
export const MAX_REVISION_WORDS = 100_000;
/** Revisions of one job. */
export const MAX_REVISIONS = 1_000;
/** Changes listed in one answer. */
export const MAX_LISTED_CHANGES = 1_000;
const MAX_EDITS = 20_000;

/** Number of a revision in a path or query. 0 is the engine's own result. */
export const revisionNumber = queryInteger(0, 2_147_483_647);

/** Revision to export: a number, or `latest`. */
export const RevisionSelector = z
	.union([z.literal("latest"), revisionNumber])
	.meta({ description: "Number of a revision, or `latest`. Default 0, the engine's own result." });
export type RevisionSelector = z.output<typeof RevisionSelector>;

const wordIndex = (what: string) =>
	z.int().min(0).max(MAX_REVISION_WORDS).meta({ description: what, example: 12 });
const wordRange = {
	start: wordIndex("Index of the first word of the range, from 0"),
	end: wordIndex("Index after the last word of the range"),
};

const SpeakerLabel = z
	.string()
	.trim()
	.min(1)
	.max(64)
	.regex(/^[^\p{Cc}]*$/u, "Must not contain control characters")
	.meta({ description: "Label of the speaker, 1 to 64 characters", example: "Ada" });

export const RevisionEdit = z
	.strictObject({
		...wordRange,
		text: z.string().max(100_000).meta({
			description:
				"Text that replaces the words of the range. Empty to delete them. Unchanged words keep their times, changed words share the time of those that they replace.",
			example: "quarterly figures.",
		}),
		speaker: SpeakerLabel.optional().describe("Label of the speaker of the new text. Default: unchanged."),
	})
	.refine(({ start, end }) => start <= end, { path: ["end"], message: "Must not be less than start" })
	.meta({
		id: "RevisionEdit",
		description:
			"Replacement of a range of words. A word is a result of the transcript whose `type` is not `punctuation`; its index counts those results from 0. `start` equal to `end` inserts text before that word.",
	});
export type RevisionEdit = z.infer<typeof RevisionEdit>;

const baseRevision = z.int().min(0).meta({
	description:
		"Number of the revision that the indexes refer to. 0 is the engine's own result. Returns 412 when it is not the latest one.",
	example: 0,
});
const comment = z.string().trim().max(500).optional().meta({
	description: "Note for people who read the history, at most 500 characters",
	example: "Names checked",
});

export const CreateRevision = z
	.strictObject({
		base_revision: baseRevision,
		edits: z
			.array(RevisionEdit)
			.min(1)
			.max(MAX_EDITS)
			.describe("Edits in the order of the words, without overlaps"),
		comment,
	})
	.meta({
		id: "CreateRevision",
		example: { base_revision: 0, edits: [{ start: 12, end: 14, text: "quarterly figures." }] },
	});
export type CreateRevision = z.infer<typeof CreateRevision>;

export const SpeakerAssignment = z
	.strictObject({ ...wordRange, speaker: SpeakerLabel })
	.refine(({ start, end }) => start < end, { path: ["end"], message: "Must be greater than start" })
	.meta({ id: "SpeakerAssignment", description: "Speaker of a range of words" });
export type SpeakerAssignment = z.infer<typeof SpeakerAssignment>;

/** Renames, merges and splits speakers. */
export const UpdateSpeakers = z
	.strictObject({
		base_revision: baseRevision,
		rename: z
			.record(z.string().min(1).max(64), SpeakerLabel)
			.refine((names) => Object.keys(names).length <= 100, "Must have at most 100 entries")
			.optional()
			.meta({
				description:
					"New label by present label, at most 100. Two speakers with the same new label are merged. A channel is renamed by its label as well.",
				example: { S1: "Ada", S2: "Charles" },
			}),
		assign: z
			.array(SpeakerAssignment)
			.max(MAX_EDITS)
			.optional()
			.describe(
				"Ranges of words and who speaks them, in the order of the words, without overlaps. Splits a speaker in two. Applied after `rename`.",
			),
		comment,
	})
	.refine(({ rename, assign }) => Object.keys(rename ?? {}).length + (assign?.length ?? 0) > 0, {
		path: ["rename"],
		message: "Give at least one entry in rename or assign",
	})
	.meta({ id: "UpdateSpeakers", example: { base_revision: 1, rename: { S1: "Ada" } } });
export type UpdateSpeakers = z.infer<typeof UpdateSpeakers>;

export const RevisionSummary = z
	.object({
		words_added: z.int().describe("Words that were inserted"),
		words_removed: z.int().describe("Words that were deleted"),
		words_replaced: z.int().describe("Words that have another text"),
		words_reassigned: z.int().describe("Words that have another speaker"),
	})
	.meta({ id: "RevisionSummary", description: "Differences from the base revision" });
export type RevisionSummary = z.infer<typeof RevisionSummary>;

export const RevisionChange = z
	.object({
		start: z.int().describe("Index of the first changed word in the base revision"),
		end: z.int().describe("Index after the last changed word in the base revision"),
		before: z
			.string()
			.describe("Text in the base revision. Empty when words were inserted.")
			.meta({ example: "quartely figures." }),
		after: z
			.string()
			.describe("Text in this revision. Empty when words were deleted.")
			.meta({ example: "quarterly figures." }),
		speaker_before: z
			.string()
			.nullable()
			.describe("Label of the speaker in the base revision")
			.meta({ example: "S1" }),
		speaker_after: z
			.string()
			.nullable()
			.describe("Label of the speaker in this revision")
			.meta({ example: "S1" }),
		start_time: z.number().describe("Start of the change in seconds from the start of the audio"),
		end_time: z.number().describe("End of the change in seconds from the start of the audio"),
	})
	.meta({ id: "RevisionChange", description: "A range of words that differs from the base revision" });
export type RevisionChange = z.infer<typeof RevisionChange>;

const revision = {
	revision: z.int().describe("Number of the revision. 0 is the engine's own result."),
	base_revision: z.int().nullable().describe("Number of the revision that it changes. Null for revision 0."),
	author: z
		.string()
		.nullable()
		.describe("Who saved it: `user:<id>` or `api_key:<id>`. Null for revision 0.")
		.meta({ example: "user:01938f5e-7c00-7000-8000-0000000000f1" }),
	author_name: z
		.string()
		.nullable()
		.describe("Name of the person or label of the API key at that time. Null for revision 0.")
		.meta({ example: "Ada Byron" }),
	comment: z.string().nullable().describe("Note of the author").meta({ example: "Names checked" }),
	created_at: Timestamp.describe("Time at which it was saved. For revision 0, when the job ended."),
	word_count: z.int().describe("Words in the transcript"),
	summary: RevisionSummary,
	etag: z.string().meta({
		description: "ETag of the revision, quotes included. Send it as `If-Match` with the next change.",
		example: '"r1-01938f5e7c0070008000000000000001"',
	}),
};

export const Revision = z
	.object(revision)
	.meta({ id: "Revision", description: "A saved state of a transcript. It never changes." });
export type Revision = z.infer<typeof Revision>;

export const RevisionPage = pageOf(Revision).meta({ id: "RevisionPage" });
export type RevisionPage = z.infer<typeof RevisionPage>;

export const ListRevisionsQuery = z.strictObject(pageQuery());
export type ListRevisionsQuery = z.output<typeof ListRevisionsQuery>;

const changes = {
	changes: z
		.array(RevisionChange)
		.describe(`Differences from the base revision in the order of the words, at most ${MAX_LISTED_CHANGES}`),
	changes_truncated: z.boolean().describe("Whether there are more differences than listed"),
};

/** A revision with its differences. Its text is in `GET …/transcript?revision=`. */
export const RevisionDetails = z.object({ ...revision, ...changes }).meta({ id: "RevisionDetails" });
export type RevisionDetails = z.infer<typeof RevisionDetails>;

/** What a client needs to merge its edits when another revision was saved meanwhile. */
export const RevisionConflict = z
	.object({
		base_revision: z.int().describe("Revision that the rejected change refers to"),
		latest: Revision.describe("Revision that is the latest one now"),
		...changes,
	})
	.meta({
		id: "RevisionConflict",
		description: "What was saved since the base revision. `changes` are those from the base to the latest.",
	});
export type RevisionConflict = z.infer<typeof RevisionConflict>;
