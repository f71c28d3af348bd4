// What the worker under test reaches outside: servers that answer in the protocols of real engines.

import { silentWav } from "./silent-wav.ts";

const words = [
	{ word: "hello", start: 0.1, end: 0.5, probability: 0.9 },
	{ word: "world", start: 0.6, end: 1.1, probability: 0.8 },
];

export async function answerOutbound(request: Request): Promise<Response> {
	const { hostname, pathname } = new URL(request.url);
	switch (`${hostname}${pathname}`) {
		case "speech.test/v1/audio/transcriptions":
			return transcribe(await request.formData());
		case "voices.test/v1/audio/speech":
			return speak((await request.json()) as { input: string; response_format: string });
		case "files.test/clip.wav":
			return new Response(silentWav(0.1), { headers: { "content-type": "audio/wav" } });
		case "files.test/page.wav":
			return new Response("<html>not audio</html>");
		default:
			return new Response("nowhere", { status: 404 });
	}
}

/** Hears the same two words in everything; a prompt makes it fail as the prompt says. */
async function transcribe(form: FormData): Promise<Response> {
	const prompt = String(form.get("prompt") ?? "");
	const [, status] = /^status (\d+)$/.exec(prompt) ?? [];
	if (status) {
		const headers = { "retry-after": "7" };
		return Response.json({ error: { message: "said by the engine" } }, { status: Number(status), headers });
	}
	const file = form.get("file") as File;
	return Response.json({
		task: "transcribe",
		language: "english",
		duration: 1.25,
		text: "hello world",
		segments: [{ id: 0, start: 0, end: 1.25, text: "hello world" }],
		words,
		warnings: [`${file.name} ${file.type} ${file.size}`],
	});
}

const speak = ({ input, response_format }: { input: string; response_format: string }): Response =>
	input === "fail"
		? Response.json({ error: { message: "no voice" } }, { status: 500 })
		: new Response(`${response_format}: ${input}`);
