/** `POST /<method>` with the JSON of its one argument. */
export default {
	/**
	 * @param {Request} request
	 * @param {{ PYTHON: Record<string, (input: unknown) => Promise<unknown>> }} env
	 */
	async fetch(request, env) {
		const method = new URL(request.url).pathname.slice(1);
		try {
			return Response.json(await env.PYTHON[method]?.(await request.json()));
		} catch (error) {
			return Response.json({ thrown: String(error) }, { status: 500 });
		}
	},
};
