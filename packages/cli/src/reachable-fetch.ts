/** No connection to an address. */
export class UnreachableError extends Error {
	override readonly name = "UnreachableError";
}

/**
 * Calls Node's fetch, whose own error says only "fetch failed".
 * @throws UnreachableError naming the address that could not be reached, and why.
 */
export const reachableFetch: typeof fetch = async (input, init) => {
	try {
		return await fetch(input, init);
	} catch (error) {
		const cause = error instanceof TypeError ? error.cause : undefined;
		// A file that changes during its upload is not a fault of the address.
		if (!(cause instanceof Error) || cause.name === "NotReadableError") throw error;
		const { origin } = new URL(input instanceof Request ? input.url : input);
		if ("code" in cause && cause.code === "ECONNREFUSED") {
			throw new UnreachableError(`nothing answers at ${origin}; is Parley running there (npm start)?`);
		}
		throw new UnreachableError(`${origin} could not be reached: ${cause.message || "no connection"}`);
	}
};
