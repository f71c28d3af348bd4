/** What one chunk sounds like on one channel; times are seconds from the start of the recording. */
export type ScoredChunk = {
	startSeconds: number;
	endSeconds: number;
	/** Of each second from the chunk's start, as `musicScores` gives them; empty where the chunk is silent. */
	scores: readonly number[];
};

/** `confidence` is 0.5 at the threshold and nears 1 above it. */
export type SoundEvent = { start: number; end: number; confidence: number };

type Cell = { start: number; end: number; score: number };

/** Fitted to synthetic programmes, see docs/explanation/music-detection.md. */
const THRESHOLD = 1.1;
/** Shorter pauses lie within a piece of music, which is this long at least. */
const BRIDGE_SECONDS = 3;
const MIN_SECONDS = 5;

/** The stretches of music in a recording, in time order; neighbouring chunks may share sound. */
export function musicEvents(chunks: readonly ScoredChunk[]): SoundEvent[] {
	const cells = smooth(
		chunks.flatMap((chunk, index) => cellsOf(chunk, chunks[index - 1], chunks[index + 1])),
	);
	const events: Cell[][] = [];
	for (const cell of cells.filter(({ score }) => score > THRESHOLD)) {
		const last = events.at(-1);
		const gap = cell.start - (last?.at(-1)?.end ?? Number.NEGATIVE_INFINITY);
		if (last && gap <= BRIDGE_SECONDS) last.push(cell);
		else events.push([cell]);
	}
	return events.map(toEvent).filter(({ start, end }) => end - start >= MIN_SECONDS);
}

/** A chunk's seconds, as far as they are not its neighbour's: of what two chunks share each has the half next to it. */
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

function toEvent(cells: readonly Cell[]): SoundEvent {
	const score = cells.reduce((sum, cell) => sum + cell.score, 0) / cells.length;
	return {
		start: cells[0]?.start ?? 0,
		end: cells.at(-1)?.end ?? 0,
		confidence: score / (score + THRESHOLD),
	};
}
