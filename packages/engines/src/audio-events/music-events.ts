/** Music scores of a chunk on one channel. Times are seconds from the start of the recording. */
export type ScoredChunk = {
	startSeconds: number;
	endSeconds: number;
	/** Score of each second from the chunk's start, as `musicScores` returns them. Empty if the chunk is silent. */
	scores: readonly number[];
};

/** An event in the audio. `confidence` is 0.5 at the threshold and approaches 1 above it. */
export type AudioEvent = { start: number; end: number; confidence: number };

type Cell = { start: number; end: number; score: number };

/** Score above which there is music. Fitted to synthetic recordings: see docs/explanation/music-detection.md. */
const THRESHOLD = 1.1;
/** Maximum pause within a piece of music. */
const MAX_PAUSE_SECONDS = 3;
/** Minimum length of a piece of music. */
const MIN_SECONDS = 5;

/** Finds music in a recording, in time order. Neighbouring chunks may overlap. */
export function musicEvents(chunks: readonly ScoredChunk[]): AudioEvent[] {
	const cells = smooth(
		chunks.flatMap((chunk, index) => cellsOf(chunk, chunks[index - 1], chunks[index + 1])),
	);
	const events: Cell[][] = [];
	for (const cell of cells.filter(({ score }) => score > THRESHOLD)) {
		const last = events.at(-1);
		const gap = cell.start - (last?.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
		if (last && gap <= MAX_PAUSE_SECONDS) last.push(cell);
		else events.push([cell]);
	}
	return events.map(toEvent).filter(({ start, end }) => end - start >= MIN_SECONDS);
}

/** Returns the seconds of a chunk. Where two chunks overlap, each gets the half next to it. */
function cellsOf(
	{ startSeconds, endSeconds, scores }: ScoredChunk,
	before: ScoredChunk | undefined,
	after: ScoredChunk | undefined,
): Cell[] {
	const from = before ? (before.endSeconds + startSeconds) / 2 : startSeconds;
	const to = after ? (endSeconds + after.startSeconds) / 2 : endSeconds;
	return Array.from({ length: Math.ceil(endSeconds - startSeconds) }, (_, second) => ({
		start: Math.max(from, startSeconds + second),
		end: Math.min(to, startSeconds + second + 1),
		score: scores[second] ?? 0,
	})).filter(({ start, end }) => start < end);
}

const smooth = (cells: readonly Cell[]): Cell[] =>
	cells.map((cell, index) => {
		const around = cells.slice(Math.max(0, index - 1), index + 2);
		return { ...cell, score: around.reduce((sum, { score }) => sum + score, 0) / around.length };
	});

function toEvent(cells: readonly Cell[]): AudioEvent {
	const score = cells.reduce((sum, cell) => sum + cell.score, 0) / cells.length;
	return {
		start: cells[0]?.start ?? 0,
		end: cells.at(-1)?.end ?? 0,
		confidence: score / (score + THRESHOLD),
	};
}
