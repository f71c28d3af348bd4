// `npm run demo:agents`: walks a tool from its secret to an accepted upgrade against the running stack (`npm start`), step by step.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { startEndpoint } from "./demo/endpoint.ts";
import { expect, startWalk } from "./demo/walk.ts";

type Json = Record<string, unknown>;

const devFile = join(resolve(process.env.PARLEY_STATE || join(root, ".parley")), "dev.json");
if (!existsSync(devFile)) {
	console.error(`There is no ${devFile}: start the stack with npm start first`);
	process.exit(1);
}

const run = randomBytes(3).toString("hex");
const SECRET = `DEMO_TOKEN_${run.toUpperCase()}`;
const values = {
	first: `first-${randomBytes(16).toString("hex")}`,
	second: `second-${randomBytes(16).toString("hex")}`,
};
const endpoint = await startEndpoint();
const { call, step, summary } = startWalk(JSON.parse(readFileSync(devFile, "utf8")), Object.values(values));

try {
	await walk();
	console.log(`\nDone: ${summary()}; the secret's values reached the endpoint and are in none of them.`);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
} finally {
	await endpoint.stop();
}

async function walk(): Promise<void> {
	const secret = await call("POST", "/secrets", { name: SECRET, kind: "secret", value: values.first }, 201);
	step("A secret is made", `${SECRET}, revision ${secret.revision}, value shown: ${secret.value}`);

	const tool = await call("POST", "/tools", toolBody({ city: { type: "string" } }, ["city"]), 201);
	step("An api_request tool uses it as bearer", `${tool.name}, proven: ${tool.is_current_hash_green}`);

	const toolPath = `/tools/${tool.id}`;
	await proveAndPublish(toolPath, { city: "Oslo" }, values.first);

	const attachment_id = crypto.randomUUID();
	const tool_refs = [{ attachment_id, tool_id: tool.id, version: 1, argument_overrides: { city: "Oslo" } }];
	const agent = await call("POST", "", { name: `demo-${run}`, tool_refs }, 201);
	step("An agent attaches version 1", `agent version ${agent.version_number}`);

	const changed = toolBody({ town: { type: "string" }, days: { type: "integer" } }, ["town"]);
	await call("PATCH", toolPath, { config: changed.config });
	step("The tool's parameters change", "city becomes town, days is new");
	await proveAndPublish(toolPath, { town: "Oslo", days: 2 }, values.first);

	const upgrade = `/tools/agents/${agent.id}/attachments/${attachment_id}`;
	const stale = await call("POST", `${upgrade}/upgrade-preview/2`);
	step("A preview shows what would change", describe(stale));

	await call("PATCH", `/${agent.id}`, { greeting: "Good morning" });
	const refused = await call("POST", `${upgrade}/upgrade-accept`, acceptance(stale), 409);
	step("The agent has changed meanwhile: the accept is refused", JSON.stringify(refused.error));

	const fresh = await call("POST", `${upgrade}/upgrade-preview/2`);
	const applied = await call("POST", `${upgrade}/upgrade-accept`, acceptance(fresh));
	step("A fresh preview is accepted", JSON.stringify(applied.reconciled_attachment));

	const rotated = await call("PATCH", `/secrets/${SECRET}`, { value: values.second });
	step("The secret is rotated", `revision ${rotated.revision}`);
	const last = await call("POST", `${toolPath}/run`, {
		sample_input: { town: "Oslo" },
		confirm_side_effects: true,
	});
	expect(endpoint.lastAuthorization() === `Bearer ${values.second}`, "The new value did not arrive");
	step(
		"A run sends the new value",
		`the endpoint saw it and sent it back; the answer says ${JSON.stringify(last.output_json)}`,
	);

	await call("DELETE", `/${agent.id}`, undefined, 204);
	await call("DELETE", toolPath, undefined, 204);
	await call("DELETE", `/secrets/${SECRET}`, undefined, 204);
	step("Agent, tool and secret are deleted", "in this order, for each holds the next");
}

async function proveAndPublish(toolPath: string, sample_input: Json, value: string): Promise<void> {
	const result = await call("POST", `${toolPath}/run`, { sample_input, confirm_side_effects: true });
	expect(result.status === "succeeded", `The run ended as ${JSON.stringify(result)}`);
	expect(endpoint.lastAuthorization() === `Bearer ${value}`, "The secret did not arrive");
	step(
		"A run proves it",
		`${result.status} in ${result.latency_ms} ms, output ${JSON.stringify(result.output_json)}`,
	);
	const published = await call("POST", `${toolPath}/publish`);
	step(`Version ${published.version_number} is published`, JSON.stringify(published.checks));
}

function toolBody(properties: Json, required: string[]) {
	const parameters = { type: "object", properties, required };
	const config = { type: "api_request", url: `${endpoint.url}/weather`, parameters };
	return {
		...{ name: `demo-weather-${run}`, tool_type: "api_request", description: "Tells the weather" },
		config: { ...config, auth: { type: "bearer", secret_name: SECRET } },
	};
}

function acceptance(preview: Json): Json {
	return Object.fromEntries(
		Object.entries(preview).filter(([key]) => key === "to_version" || key.endsWith("_hash")),
	);
}

function describe(preview: Json): string {
	const { renamed_parameters, added_parameters, removed_parameters, can_accept } = preview;
	return JSON.stringify({ renamed_parameters, added_parameters, removed_parameters, can_accept });
}
