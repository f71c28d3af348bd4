import { env, exports } from "cloudflare:workers";
import { testAgentCredentials } from "@parley/http/planes/test-agent-credentials";
import { agentCredentials } from "@parley/testing/agent-credentials";
import { app } from "./app.ts";

testAgentCredentials({
	specs: app.specs,
	fetch: (request) => exports.default.fetch(request),
	credentials: () => agentCredentials(env.DB),
});
