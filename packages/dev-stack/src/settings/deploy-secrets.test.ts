import { expect, test } from "vitest";
import { planSecrets } from "./deploy-secrets.ts";

const agents = { worker: "agents", needed: ["VAULT_KEK"], held: [] as string[] };
const batch = { worker: "batch", needed: ["VAULT_KEK", "R2_ACCESS_KEY_ID"], held: [] as string[] };
const refuse = (): string => {
	throw new Error("A key was made");
};

test("a first deployment makes one vault key for every worker", () => {
	let made = 0;
	const plan = planSecrets([agents, batch], { R2_ACCESS_KEY_ID: "id" }, () => `key-${++made}`);
	expect(plan).toEqual({
		agents: { VAULT_KEK: "key-1" },
		batch: { VAULT_KEK: "key-1", R2_ACCESS_KEY_ID: "id" },
	});
});

test("a secret that a worker has is kept, and one that the environment gives replaces it", () => {
	const held = { ...agents, held: ["VAULT_KEK"] };
	expect(planSecrets([held], {}, refuse)).toEqual({ agents: {} });
	expect(planSecrets([held], { VAULT_KEK: "given" }, refuse)).toEqual({ agents: { VAULT_KEK: "given" } });
});

test("a worker that is new in a deployment needs the vault key of the others, in any order", () => {
	const held = { ...batch, held: batch.needed };
	for (const workers of [
		[agents, held],
		[held, agents],
	])
		expect(() => planSecrets(workers, {}, refuse)).toThrow(
			/^Set VAULT_KEK in the environment.* agents needs/,
		);
	expect(planSecrets([agents, held], { VAULT_KEK: "given" }, refuse).agents).toEqual({ VAULT_KEK: "given" });
});

test("a secret that nobody gives is named", () => {
	expect(() => planSecrets([batch], {}, () => "key")).toThrow(
		"Set R2_ACCESS_KEY_ID in the environment or in .env",
	);
});
