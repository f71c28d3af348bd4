// What the worker under test reaches outside: servers that answer in the protocols of real engines, and a resolver.

import { silentWav } from "./silent-wav.ts";

const words = [
	{ word: "hello", start: 0.1, end: 0.5, probability: 0.9 },
	{ word: "world", start: 0.6, end: 1.1, probability: 0.8 },
];

export async function answerOutbound(request: Request): Promise<Response> {
	const { hostname, pathname } = new URL(request.url);
	switch (`${hostname}${pathname}`) {
		case "dns.test/dns-query":
			return resolveName(new Uint8Array(await request.arrayBuffer()));
		case "speech.test/v1/audio/transcriptions":
			return transcribe(await request.formData());
		case "voices.test/v1/audio/speech":
			return speak((await request.json()) as { input: string; response_format: string });
		case "files.test/clip.wav":
		case "inner.files.test/clip.wav":
		case "lost.files.test/clip.wav":
			return new Response(silentWav(0.1), { headers: { "content-type": "audio/wav" } });
		case "files.test/encoded.wav":
			return new Response(silentWav(0.1), { headers: { "content-encoding": "gzip" } });
		case "files.test/page.wav":
			return new Response("<html>not audio</html>");
		default:
			return new Response("nowhere", { status: 404 });
	}
}

/** Says 10.0.0.1 of a name that begins with `inner`, 192.0.66.1 of another, and nothing of one that begins with `lost`. */
function resolveName(query: Uint8Array<ArrayBuffer>): Response {
	const name = new TextDecoder().decode(query.subarray(13));
	if (name.startsWith("lost")) return new Response(null, { status: 503 });
	const isOfIpv4 = query.at(-3) === 1;
	const address = name.startsWith("inner") ? [10, 0, 0, 1] : [192, 0, 66, 1];
	const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address];
	const message = new Uint8Array([...query, ...(isOfIpv4 ? record : [])]);
	message.set([0x81, 0x80], 2);
	message[7] = isOfIpv4 ? 1 : 0;
	return new Response(message, { headers: { "content-type": "application/dns-message" } });
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
