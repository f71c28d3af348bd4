/**
 * Node's fetch, which says only "fetch failed" and keeps the reason one level down.
 * @throws Error naming the address that could not be reached, and why.
 */
export const fetchOrName: typeof fetch = async (input, init) => {
	try {
		return await fetch(input, init);
	} catch (error) {
		const cause = error instanceof TypeError ? error.cause : undefined;
		// A file that changed while it was being sent is no fault of the address.
		if (!(cause instanceof Error) || cause.name === "NotReadableError") throw error;
		const { origin } = new URL(input instanceof Request ? input.url : input);
		if ("code" in cause && cause.code === "ECONNREFUSED") {
			throw new Error(`nothing answers at ${origin}; is Parley running there (npm start)?`);
		}
		throw new Error(`${origin} could not be reached: ${cause.message || "no connection"}`);
	}
};
