import { once } from "node:events";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { createSpeechServer } from "./server.ts";

const USAGE = `usage: node main.ts [--port N] [--host 127.0.0.1] [--threads N] [--max-queued N] [--max-body-mb N]
                    [--die-with-parent]
`;

function readArguments() {
	try {
		const { values } = parseArgs({
			options: {
				port: { type: "string", default: "8792" },
				host: { type: "string", default: "127.0.0.1" },
				threads: { type: "string", default: String(availableParallelism()) },
				"max-queued": { type: "string", default: "16" },
				"max-body-mb": { type: "string", default: "64" },
				"die-with-parent": { type: "boolean", default: false },
			},
		});
		return {
			host: values.host,
			port: wholeNumber("port", values.port, 0, 65_535),
			threads: wholeNumber("threads", values.threads, 1, 256),
			maxQueued: wholeNumber("max-queued", values["max-queued"], 0, 10_000),
			maxBodyBytes: wholeNumber("max-body-mb", values["max-body-mb"], 1, 1024) * 2 ** 20,
			diesWithParent: values["die-with-parent"],
		};
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
		process.exit(2);
	}
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
	const value = Number(text);
	if (Number.isInteger(value) && value >= min && value <= max) return value;
	throw new Error(`--${name} must be a whole number from ${min} to ${max}, not "${text}"`);
}

const { host, port, threads, maxQueued, maxBodyBytes, diesWithParent } = readArguments();

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
if (diesWithParent) {
	const parent = process.ppid;
	setInterval(() => process.ppid === parent || process.exit(0), 500).unref();
}

const { http } = await createSpeechServer({ threads, maxQueued, maxBodyBytes, stepTimeoutMs: 60_000 });
http.listen(port, host);
await once(http, "listening");
const address = http.address();
const bound = typeof address === "object" && address ? address.port : port;
console.log(`speech-server listening on http://${host.includes(":") ? `[${host}]` : host}:${bound}`);
