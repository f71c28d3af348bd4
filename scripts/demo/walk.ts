// What every demo does: numbered steps, requests to the agents plane, and a watch over values that no answer may show.

type Json = Record<string, unknown>;

export type DemoWalk = {
	/**
	 * One request to the API, by its path below `/v1/agents`, or from `/v1/` on. Every answer is looked through for the values
	 * to hide.
	 * @param status what it must be answered with.
	 */
	call: (method: string, path: string, body?: Json, status?: number) => Promise<Json>;
	step: (title: string, detail: string) => void;
	/** How far it came: `14 steps, 21 answers`. */
	summary: () => string;
	/** Number of answers that were looked through. */
	answers: () => number;
};

/** @param hidden values that are found in an answer at the price of the demo. */
export function startWalk(dev: { agents_url: string; api_key: string }, hidden: string[]): DemoWalk {
	let answers = 0;
	let steps = 0;
	return {
		async call(method, path, body, status = 200) {
			const url = dev.agents_url + (path.startsWith("/v1/") ? path : `/v1/agents${path}`);
			const response = await fetch(url, {
				method,
				headers: {
					authorization: `Bearer ${dev.api_key}`,
					...(body && { "content-type": "application/json" }),
				},
				...(body && { body: JSON.stringify(body) }),
			});
			const text = await response.text();
			const seen = `${text}${JSON.stringify([...response.headers])}`;
			answers++;
			for (const value of hidden) expect(!seen.includes(value), `${method} ${path} shows a secret`);
			expect(response.status === status, `${method} ${path} answered ${response.status}: ${text}`);
			return text === "" ? {} : JSON.parse(text);
		},
		step(title, detail) {
			steps++;
			console.log(`${String(steps).padStart(2)}. ${title}\n    ${detail.replaceAll("\n", "\n    ")}`);
		},
		summary: () => `${steps} steps, ${answers} answers`,
		answers: () => answers,
	};
}

/** @throws Error with the complaint unless it holds. */
export function expect(holds: boolean, complaint: string): void {
	if (!holds) throw new Error(complaint);
}
