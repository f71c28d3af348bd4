import type { IncomingMessage, ServerResponse } from "node:http";
import { startLoopback } from "@parley/testing/loopback";
import { type Answer, decode, encode, type Question, RECURSION_AVAILABLE } from "dns-packet";

/** Answers of a resolver by name: addresses, `alias <name>`, or a fault. Other names do not exist. */
export type Zone = Record<string, string[]>;

export type DohServer = {
	endpoint: string;
	/** Each question so far, as `<type> <name>`. */
	asked: string[];
	stop: () => Promise<void>;
};

/** Made up, for the workers' tests. */
export const ZONE: Zone = {
	"public.example": ["93.184.216.34", "2606:4700::1"],
	"loopback.example": ["127.0.0.1"],
	"loopback-v6.example": ["::1"],
	"private.example": ["10.0.0.1"],
	"mapped.example": ["::ffff:169.254.169.254"],
	"mixed.example": ["93.184.216.34", "10.0.0.1"],
	"mixed-v6.example": ["93.184.216.34", "fd00::1"],
	"alias.example": ["alias further.example"],
	"further.example": ["alias private.example"],
	"silent.example": ["silence"],
	"failing.example": ["rcode 2"],
	"broken.example": ["status 500"],
};

/** Length of the header of a DNS message. Whatever is shorter is no question. */
const HEADER_BYTES = 12;

/** A resolver on loopback that speaks RFC 8484, its messages made by a library that is not ours. */
export async function startDohServer(zone: Zone = ZONE, ttl = 60): Promise<DohServer> {
	const asked: string[] = [];
	const { url, stop } = await startLoopback(async (request, response) => {
		const message = await bodyOf(request);
		const { questions: [question] = [] } = message.length < HEADER_BYTES ? {} : decode(message);
		if (!question) return void response.writeHead(400).end();
		asked.push(`${question.type} ${question.name}`);
		answer(response, question, zone, ttl);
	});
	return { endpoint: `${url}/dns-query`, asked, stop };
}

function answer(response: ServerResponse, question: Question, zone: Zone, ttl: number): void {
	const [said = "rcode 3"] = zone[question.name] ?? [];
	const [kind, argument = ""] = said.split(" ");
	if (kind === "silence") return;
	if (kind === "status") return void response.writeHead(Number(argument)).end("no");
	response.setHeader("content-type", "application/dns-message");
	if (kind === "page") return void response.setHeader("content-type", "text/html").end("<!doctype html>");
	if (kind === "garbage") return void response.end("x".repeat(Number(argument)));
	const answers = kind === "rcode" ? [] : recordsOf(question.name, question.type, zone, ttl);
	const message = encode({
		...{ type: "response", id: 0, questions: [question], answers },
		flags: RECURSION_AVAILABLE | (kind === "rcode" ? Number(argument) : 0),
	});
	// The bit of a message that did not fit.
	if (kind === "truncated") message[2] = (message[2] ?? 0) | 0x02;
	response.end(kind === "cut" ? message.subarray(0, message.length - Number(argument)) : message);
}

function recordsOf(name: string, type: Question["type"], zone: Zone, ttl: number): Answer[] {
	return (zone[name] ?? []).flatMap((said): Answer[] => {
		const [kind, target = ""] = said.split(" ");
		if (kind === "alias")
			return [{ type: "CNAME", name, ttl, data: target }, ...recordsOf(target, type, zone, ttl)];
		const isOfType = type === (said.includes(":") ? "AAAA" : "A") && /^[\da-f.:]+$/.test(said);
		return isOfType ? [{ type, name, ttl, data: said } as Answer] : [];
	});
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	return Buffer.concat(chunks);
}
