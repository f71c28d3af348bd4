import { z } from "zod";
import { arrayQuery, Timestamp, Uuid } from "../shared/common.ts";
import { Scope } from "../shared/scopes.ts";

export const KeyFamily = z.enum(["consumer", "batch", "agent", "legacy"]).meta({
	id: "KeyFamily",
	description:
		"`consumer` keys work on every surface. `batch` keys work on the batch API and `/v1/me`. `agent` keys work on the runtime API of one agent. `legacy` keys can no longer be created.",
});
export type KeyFamily = z.infer<typeof KeyFamily>;

type Bound = { family: string; scopes?: readonly Scope[]; agent_id?: string; agent_version?: number | null };

/** Finds members that do not go with the family: only an agent key has an agent, and it has one scope. */
function agentProblems({ family, scopes, agent_id, agent_version }: Bound): [keyof Bound, string][] {
	if (family === "agent") {
		const isForeign = scopes?.some((scope) => scope !== "runtime:use") || scopes?.length === 0;
		return [
			...(agent_id === undefined ? ([["agent_id", "Is required for the family agent"]] as const) : []),
			...(isForeign ? ([["scopes", "An agent key has runtime:use alone: leave scopes out"]] as const) : []),
		].map(([path, message]) => [path, message]);
	}
	const only = "Is only for the family agent: leave it out";
	return [
		...(agent_id === undefined ? [] : [["agent_id", only] as [keyof Bound, string]]),
		...(agent_version === undefined || agent_version === null
			? []
			: [["agent_version", only] as [keyof Bound, string]]),
	];
}

export const CreateKey = z
	.strictObject({
		label: z
			.string()
			.trim()
			.min(1)
			.max(200)
			.describe("Name of the key, 1 to 200 characters")
			.meta({ example: "Production" }),
		family: z
			.enum(["consumer", "batch", "agent"])
			.describe(
				"`consumer` for every surface, `batch` for the batch API and `/v1/me`, `agent` for the runtime API of one agent",
			),
		scopes: z
			.array(Scope)
			.max(64)
			.optional()
			.describe(
				"Scopes of the key. Default: every scope except `keys:manage`. An agent key always has `runtime:use` alone.",
			),
		agent_id: Uuid.optional().describe("Agent that the key is bound to. Required for the family `agent`."),
		agent_version: z
			.int()
			.min(1)
			.nullable()
			.optional()
			.describe("Version of the agent that the key is pinned to. Default: the agent's current version."),
		expires_at: z.iso
			.datetime({ offset: true })
			.nullable()
			.optional()
			.describe("Time at which the key stops working. Default: never.")
			.meta({ example: "2030-01-01T00:00:00.000Z" }),
	})
	.check(({ value, issues }) => {
		for (const [path, message] of agentProblems(value))
			issues.push({ code: "custom", path: [path], message, input: value });
	})
	.meta({
		id: "CreateKey",
		example: { label: "CI", family: "consumer", scopes: ["batch:read", "batch:write"] },
	});
export type CreateKey = z.infer<typeof CreateKey>;

const key = {
	id: Uuid,
	organisation_id: Uuid.describe("Organisation that the key belongs to"),
	label: z.string().describe("Name of the key"),
	family: KeyFamily,
	prefix: z.string().describe("Beginning of the key, which tells its family"),
	last_four: z.string().describe("Last four characters of the key"),
	scopes: z.array(Scope).describe("Scopes that the key holds"),
	agent_id: Uuid.nullable().describe("Agent that a key of the family `agent` is bound to; null for others"),
	agent_version: z
		.int()
		.nullable()
		.describe("Version of the agent that the key is pinned to; null for the current one"),
	created_by: z.string().describe("Who made the key: `api_key:<id>`, `user:<id>` or the name of a command"),
	created_at: Timestamp.describe("Time at which the key was created"),
	expires_at: Timestamp.nullable().describe("Time at which the key stops working; null for never"),
	last_used_at: Timestamp.nullable().describe("Time of the last use, within a minute; null before the first"),
};

const example = {
	...{ id: "01938f5e-7c00-7000-8000-0000000000e2", organisation_id: "01938f5e-7c00-7000-8000-0000000000f1" },
	...{ label: "CI", family: "consumer", prefix: "parley_cu_", last_four: "x7Qa" },
	scopes: ["batch:read", "batch:write"],
	...{ agent_id: null, agent_version: null },
	created_by: "api_key:01938f5e-7c00-7000-8000-0000000000e1",
	...{ created_at: "2026-11-20T09:30:00.000Z", expires_at: null, last_used_at: null },
};

/** API key as lists show it. It never holds the key itself. */
export const Key = z
	.object(key)
	.meta({ id: "Key", example: { ...example, last_used_at: "2026-11-20T11:02:00.000Z" } });
export type Key = z.infer<typeof Key>;

/** Answer to a creation, the only one that holds the key itself. */
export const CreatedKey = z
	.object({
		...key,
		key: z
			.string()
			.nullable()
			.describe("The key. It is shown only here; null when the request repeats an `Idempotency-Key`."),
	})
	.meta({
		id: "CreatedKey",
		example: { ...example, key: "parley_cu_3vXo8pT1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR01x7Qa" },
	});
export type CreatedKey = z.infer<typeof CreatedKey>;

export const KeysQuery = z.strictObject({ limit: arrayQuery.limit, offset: arrayQuery.offset });
export type KeysQuery = z.infer<typeof KeysQuery>;
