/** All places for interpreters in this isolate are taken. */
export class SandboxOverloaded extends Error {
	override readonly name = "SandboxOverloaded";
	constructor() {
		super("too many code tools run at the moment; try again");
	}
}

/** A spare interpreter as a run sees it: something that gives way. */
type Spare = { drop: () => void };

let runs = 0;
/** Oldest first. */
const spares = new Set<Spare>();

/**
 * Takes one of `max` places for a run; the function returned leaves it, once. When spare interpreters hold the last places,
 * the oldest is dropped.
 * @throws SandboxOverloaded when runs hold all places.
 */
export function takePlace(max: number): () => void {
	if (runs >= max) throw new SandboxOverloaded();
	const [oldest] = spares;
	if (oldest && runs + spares.size >= max) {
		spares.delete(oldest);
		oldest.drop();
	}
	runs++;
	let isTaken = true;
	return () => {
		if (isTaken) runs--;
		isTaken = false;
	};
}

/**
 * Takes a place for a spare interpreter; the function returned leaves it. Returns undefined if a place is missing, or if runs
 * hold a quarter of all places: starting an interpreter would slow them down.
 * @param drop called when a run needs the place
 */
export function takeSparePlace(
	{ max, maxSpares }: { max: number; maxSpares: number },
	drop: () => void,
): (() => void) | undefined {
	if (spares.size >= maxSpares || runs + spares.size >= max || runs >= max / 4) return undefined;
	const spare = { drop };
	spares.add(spare);
	return () => spares.delete(spare);
}
