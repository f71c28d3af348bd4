import type { Ctx } from "../src/context.ts";

type Reply = (request: Request) => Response | Promise<Response>;

/** Returns a Whisper server's response to a chunk: two words near its start. */
export const verboseJson = (): Response =>
	Response.json({
		task: "transcribe",
		language: "english",
		duration: 3,
		text: "Hello, world.",
		segments: [{ id: 0, start: 0.5, end: 1.5, text: "Hello, world." }],
		words: [
			{ word: "Hello", start: 0.5, end: 0.9 },
			{ word: "world", start: 1, end: 1.5 },
		],
	});

/**
 * The outside world of a test: the engine's answers in turn (the last one again and again), and hosts that hold audio. It
 * counts the engine's calls.
 */
export function outside(hosts: Record<string, Reply> = {}, ...replies: Reply[]) {
	const world = { engineCalls: 0, fetches: 0 };
	const fetch: Ctx["fetch"] = async (input, init) => {
		const request = new Request(input, init);
		const { hostname } = new URL(request.url);
		if (hostname === "engine.example") {
			await request.arrayBuffer();
			const reply = replies[Math.min(world.engineCalls++, replies.length - 1)];
			return (reply ?? verboseJson)(request);
		}
		world.fetches++;
		const reply = hosts[hostname];
		if (!reply) throw new TypeError("DNS lookup failed");
		return reply(request);
	};
	return Object.assign(world, { fetch });
}
