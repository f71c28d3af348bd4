import { expect, inject, test } from "vitest";
import { createClient } from "../test/client.ts";
import { createRequest } from "../test/tools.ts";
import { runTool } from "./runs/run-tool.ts";

const settings = {
	EGRESS_ALLOW_LOOPBACK: "false",
	EGRESS_OWN_PORTS: "",
	EGRESS_RESOLVER: inject("resolver"),
};
const UNANSWERED = "The host name could not be checked: the resolver did not answer";

function network() {
	const reached: string[] = [];
	const fetch: typeof globalThis.fetch = async (input) => {
		reached.push(String(input));
		return new Response("{}");
	};
	return { reached, fetch };
}

test.each([
	["private.example", "BLOCKED_ADDRESS", "The address is not a public one"],
	["alias.example", "BLOCKED_ADDRESS", "The address is not a public one"],
	["nobody.example", "DNS_FAILED", "The host name could not be resolved"],
	["broken.example", "RESOLVER_FAILED", UNANSWERED],
	["public.example", undefined, undefined],
])("a tool's request to %s is checked by the resolver first", async (host, code, message) => {
	const client = await createClient();
	const tool = await createRequest(client, { url: `https://${host}/` });
	const { reached, fetch } = network();
	const ctx = client.ctx();
	const input = { sample_input: {}, confirm_side_effects: true };
	const result = await runTool({ ...ctx, fetch, env: { ...ctx.env, ...settings } }, tool.id, input);
	expect(result.error).toEqual(code ? { code, message } : null);
	expect(reached).toEqual(code ? [] : [`https://${host}/`]);
});

declare module "vitest" {
	interface ProvidedContext {
		/** A resolver on loopback that knows the names of `ZONE` in `packages/egress/test/doh-server.ts`. */
		resolver: string;
	}
}
