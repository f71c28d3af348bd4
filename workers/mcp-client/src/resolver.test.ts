import { egressRules } from "@parley/egress/egress-rules";
import { expect, inject, test } from "vitest";
import { attemptConnection } from "./session/attempt.ts";

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
	["mapped.example", "blocked_address", "The address is not a public one. Use a public https address."],
	["broken.example", "dns_failed", `${UNANSWERED}. Connect again later.`],
])("a connection asks a resolver before it goes to %s", async (host, code, message) => {
	const { reached, fetch } = network();
	const { error } = await attemptConnection({
		config: {
			url_template: `https://${host}/mcp`,
			...{ transport: "streamable_http", auth: { type: "none" }, headers: [] },
		},
		...{ vault: new Map(), prior: undefined, clock: () => new Date() },
		...{ rules: egressRules(settings), fetch },
	});
	expect(error).toMatchObject({ code, message, stage: "resolve" });
	expect(reached).toEqual([]);
});

declare module "vitest" {
	interface ProvidedContext {
		/** URL of a loopback resolver that knows the names of `ZONE` in `packages/egress/test/doh-server.ts`. */
		resolver: string;
	}
}
