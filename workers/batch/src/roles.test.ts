import { env, exports } from "cloudflare:workers";
import { testWorkerRoles } from "@parley/http/openapi/test-worker-roles";
import { createOrganisation } from "@parley/testing/organisation";
import { consoleHeaders, createPeople } from "@parley/testing/people";
import { app } from "./app.ts";

const ORIGIN = "https://batch.parley.example";
const people = await createPeople(env.DB, (await createOrganisation(env.DB)).id);

testWorkerRoles(app, {
	callAs: async (role, method, path, given = {}) => {
		const sent = Object.entries({ ...consoleHeaders(people[role], ORIGIN), ...given });
		const headers = sent.filter((pair): pair is [string, string] => pair[1] !== null);
		const response = await exports.default.fetch(
			new Request(ORIGIN + path, { method, headers, redirect: "manual" }),
		);
		const isStream = response.headers.get("content-type") === "text/event-stream";
		if (isStream) await response.body?.cancel();
		return { status: response.status, text: isStream ? "" : await response.text() };
	},
	viewerWrites: ["downloadTranscripts"],
});
