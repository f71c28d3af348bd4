/** All places for interpreters in this isolate are taken. */
export class SandboxOverloaded extends Error {
	override readonly name = "SandboxOverloaded";
	constructor() {
		super("too many code tools run at the moment; try again");
	}
}

let live = 0;

/**
 * Takes one of `max` places; the function given back leaves it, once.
 * @throws SandboxOverloaded
 */
export function takePlace(max: number): () => void {
	if (live >= max) throw new SandboxOverloaded();
	live++;
	let isTaken = true;
	return () => {
		if (isTaken) live--;
		isTaken = false;
	};
}
