import autocannon from "autocannon";

export type Target = {
	name: string;
	url: string;
	method?: "GET" | "POST";
	headers?: Record<string, string>;
	/** A body per request, for those that may not repeat. */
	body?: () => string;
	/** The status that every answer must have. */
	expect?: number;
};

const CONNECTIONS = 16;
const SECONDS = 2;
const ROUNDS = 3;

/**
 * Requests a second of each target beside a baseline, taken in turn so that a slower machine slows both.
 * @throws Error when any answer has another status than expected: a fast refusal is no figure.
 */
export async function compare(title: string, baseline: Target, targets: Target[]): Promise<void> {
	const rates = new Map([baseline, ...targets].map((target) => [target, [] as number[]]));
	for (let round = 0; round <= ROUNDS; round++) {
		for (const [target, list] of rates) {
			const rate = await requestsPerSecond(target, round === 0 ? 1 : SECONDS);
			if (round > 0) list.push(rate);
		}
	}
	const base = rates.get(baseline) ?? [];
	console.log(
		`\n${title} (${CONNECTIONS} connections, ${ROUNDS} rounds in turn; medians of rates and of ratios)`,
	);
	for (const [{ name }, list] of rates) {
		const ratio = median(list.map((rate, round) => rate / (base[round] ?? rate)));
		console.log(
			`${name.padEnd(44)} ${median(list).toFixed(0).padStart(7)} req/s ${ratio.toFixed(2).padStart(7)} of baseline`,
		);
	}
}

async function requestsPerSecond(target: Target, seconds: number): Promise<number> {
	const { url, method = "GET", headers, body, expect = 200 } = target;
	const result = await autocannon({
		url,
		connections: CONNECTIONS,
		duration: seconds,
		requests: [
			{
				method,
				headers: { ...headers, ...(body && { "content-type": "application/json" }) },
				...(body && { setupRequest: (request: autocannon.Request) => ({ ...request, body: body() }) }),
			},
		],
	});
	const counted = result.statusCodeStats?.[String(expect) as never] as { count: number } | undefined;
	if (result.errors > 0 || counted?.count !== result.requests.total) {
		throw new Error(
			`${target.name}: answers other than ${expect}: ${JSON.stringify(result.statusCodeStats)}`,
		);
	}
	return result.requests.average;
}

const median = (values: number[]): number =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
