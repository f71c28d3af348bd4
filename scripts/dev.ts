// `npm start`: everything running, a demo organisation, and what to try first.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { environmentSettings, root } from "@parley/dev-stack/settings/configs";
import { startStack } from "@parley/dev-stack/stack";

const envFile = join(root, ".env");
if (existsSync(envFile)) process.loadEnvFile(envFile);
const port = Number(process.env.PORT || 8787);
const state = resolve(process.env.PARLEY_STATE || join(root, ".parley"));
const startedAt = Date.now();
let stopping = false;

process.stdout.write(`Starting Parley on port ${port}, state in ${state}\n`);
const stack = await startStack({
	state,
	port,
	settings: { ...environmentSettings(), CONSOLE_LOCAL_SIGN_IN: "true" },
	onRestart: (name, log) => console.error(`${name} crashed and is started again; its log is ${log}`),
	onFailure: (error) => {
		console.error(error.message);
		void stop(1);
	},
}).catch((error: Error) => {
	console.error(error.message);
	process.exit(1);
});

async function stop(code: number): Promise<void> {
	if (stopping) return;
	stopping = true;
	await stack?.stop();
	if (code === 0) console.log(`Parley has stopped; keys and data stay in ${state}`);
	process.exit(code);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

const { baseUrl, keys } = stack;
const hello = join(root, "packages/testing/fixtures/speech/clip.wav");
const devFile = join(state, "dev.json");
rmSync(devFile, { force: true });
const consoleUrl = `${baseUrl}/`;
const dev = {
	base_url: baseUrl,
	agents_url: baseUrl,
	batch_url: baseUrl,
	...keys,
	console: { url: consoleUrl },
};
writeFileSync(devFile, JSON.stringify(dev, null, "\t"), { mode: 0o600 });

console.log(`
Parley is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.

  Console       ${consoleUrl}   open it in a browser on this machine
  Sign-in link  ${await createSignInLink()}   for a browser on another machine; works once, within 60 s
  Address       ${baseUrl}
  API reference ${baseUrl}/docs
  Organisation  ${keys.organisation_id}
  API key       ${keys.api_key}
  Batch key     ${keys.batch_key}
  Models        ${stack.models.join(", ") || "none: SPEECH_ENGINES is empty"}
  Logs          ${join(state, "logs")}
  All of it in  ${devFile}

Try:

  curl -s ${baseUrl}/v1/me -H "Authorization: Bearer ${keys.api_key}"

  printf '{"job_id":"hello1","input_filename":"clip.wav","input_base64":"%s"}' "$(base64 < '${hello}' | tr -d '\\n')" | curl -s ${baseUrl}/v1/batch/jobs -H "X-API-Key: ${keys.batch_key}" -H "Content-Type: application/json" -d @-

  curl -s "${baseUrl}/v1/batch/jobs/hello1/transcript?format=txt&wait=20" -H "X-API-Key: ${keys.batch_key}"

  npm run demo:agents    a tool from its secret to an upgrade; more in docs/README.md

Ctrl-C ends it.
`);

/** A link that signs any browser in, also one that is not on this machine. */
async function createSignInLink(): Promise<string> {
	const headers = { authorization: `Bearer ${keys.api_key}` };
	const response = await fetch(`${baseUrl}/v1/console/codes`, { method: "POST", headers });
	if (!response.ok) throw new Error(`The sign-in link was answered ${response.status}`);
	const { url } = (await response.json()) as { url: string };
	return url;
}
