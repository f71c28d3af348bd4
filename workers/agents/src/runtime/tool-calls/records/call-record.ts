import { logError } from "@parley/context/log";
import { toolCalls } from "@parley/db/agents/tool-calls";
import { sql } from "drizzle-orm";
import type { Ctx } from "../../../context.ts";

type Row = typeof toolCalls.$inferInsert;
const ENDING = [
	...(["status", "output", "directive", "error", "validation", "logs"] as const),
	...(["mocked", "latencyMs", "endedAt"] as const),
] as const;
type Ending = (typeof ENDING)[number];

/** Columns that are written when a call starts. */
export type StartedCall = Omit<Row, Ending>;
/** Columns that are written when a call ends. */
export type EndedCall = Pick<Row, Ending>;

export type CallRecord = {
	/** Sets the arguments once they are scrubbed. Until then the record has none. */
	setArguments: (given: Row["arguments"]) => void;
	end: (ended: EndedCall) => void;
};

/** Columns that the end of a call changes in the row of a running one. */
const END = Object.fromEntries(
	[...ENDING, "arguments" as const].map((column) => [
		column,
		sql.raw(`excluded."${toolCalls[column].name}"`),
	]),
);

/** A call that ends sooner is written once, when it has ended. */
const WRITE_RUNNING_AFTER_MS = 250;
const WRITE_AFTER_ANSWER_MS = 5;
const WRITE_TRIES = 3;
const WRITE_RETRY_MS = 200;

/**
 * Records a call beside it: a call that lasts is written as `running` meanwhile. Neither write delays the call, and none
 * can fail it. Its arguments must be scrubbed.
 */
export function startRecord(ctx: Ctx, started: StartedCall): CallRecord {
	let call = started;
	const write = (row: Row) => writeRow(ctx, row);
	const done = Promise.withResolvers<void>();
	ctx.defer(done.promise);
	let written = Promise.resolve();
	const timer = setTimeout(() => {
		const ending = { ...{ status: "running" as const, validation: "na" as const }, logs: [], mocked: false };
		written = write({ ...call, ...ending });
	}, WRITE_RUNNING_AFTER_MS);
	return {
		setArguments: (given) => {
			call = { ...call, arguments: given };
		},
		end: (ended) => {
			clearTimeout(timer);
			// Writes of one call keep their order: the end must stand.
			void written
				.then(afterAnswer)
				.then(() => write({ ...call, ...ended }))
				.then(done.resolve);
		},
	};
}

/** Lets the answer of the call leave first. */
const afterAnswer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, WRITE_AFTER_ANSWER_MS));

async function writeRow(ctx: Ctx, row: Row): Promise<void> {
	for (let tries = 1; ; tries++) {
		try {
			await ctx.db
				.insert(toolCalls)
				.values(row)
				.onConflictDoUpdate({ target: [toolCalls.organisationId, toolCalls.id], set: END });
			return;
		} catch (error) {
			if (tries === WRITE_TRIES)
				return logError("TOOL_CALL_NOT_RECORDED", error, { request_id: ctx.requestId, tool_call: row.id });
			await new Promise((resolve) => setTimeout(resolve, tries * WRITE_RETRY_MS));
		}
	}
}
