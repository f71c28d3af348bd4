// What the conformance suite starts for each scenario: hands it to our client, which runs in workerd.
const {
	MCP_CONFORMANCE_SCENARIO: scenario,
	MCP_CONFORMANCE_CONTEXT: context,
	PARLEY_MCP_CLIENT = "",
} = process.env;
const { PARLEY_MCP_VERSION: version } = process.env;
const body = JSON.stringify({
	scenario,
	version,
	url: process.argv[2],
	context: context ? JSON.parse(context) : null,
});
const response = await fetch(PARLEY_MCP_CLIENT, { method: "POST", body });
process.stderr.write(await response.text());
process.exitCode = response.ok ? 0 : 1;

export {};
