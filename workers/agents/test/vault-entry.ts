import type { Client } from "./client.ts";

/** Creates a variable in the organisation's vault. */
export async function vaultEntry(client: Client, name: string): Promise<void> {
	const { status } = await client.call("POST", "/v1/agents/secrets", {
		name,
		kind: "variable",
		value: "a value",
	});
	if (status !== 201) throw new Error(`The vault refused ${name} with ${status}`);
}
