import { z } from "zod";
import { keysetPageOf, keysetQuery, Timestamp, Uuid } from "../shared/common.ts";
import { AgentModels } from "./agents.ts";

/** Limits of the variables of a session or of one request. */
export const VARIABLE_LIMITS = { entries: 100, bytes: 32 * 1024, nameLength: 128 } as const;

const VariableName = z
	.string()
	.min(1)
	.max(VARIABLE_LIMITS.nameLength)
	.regex(/^[^\s$\p{Cc}{}]([^\p{Cc}{}]*[^\s\p{Cc}{}])?$/u, {
		message: "Must be the name of a {{name}} placeholder: without braces, and not starting with $ or a space",
	});

const sizeOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).byteLength;

export const RuntimeVariables = z
	.record(VariableName, z.union([z.string(), z.number(), z.boolean()]))
	.refine((variables) => Object.keys(variables).length <= VARIABLE_LIMITS.entries, {
		message: `Must have at most ${VARIABLE_LIMITS.entries} entries`,
	})
	.refine((variables) => sizeOf(variables) <= VARIABLE_LIMITS.bytes, {
		message: `Must have at most ${VARIABLE_LIMITS.bytes} bytes as JSON`,
	})
	.meta({
		id: "RuntimeVariables",
		description:
			"Values of {{name}} placeholders by name: texts, numbers and booleans. They come before the agent's " +
			"`template_defaults`. At most 100 entries and 32 kB. The model never sees them as such.",
		example: { customer_name: "Ada", order_count: 2 },
	});

const Caller = z
	.strictObject({
		phone_number: z
			.string()
			.regex(/^\+[1-9]\d{1,14}$/, "Must be an E.164 number, such as +14155550100")
			.optional()
			.meta({ description: "Phone number in E.164 form", example: "+14155550100" }),
		sip_address: z
			.string()
			.max(255)
			.regex(/^sips?:[^\s@]+@[^\s@]+$/i, "Must be a sip: or sips: address")
			.optional()
			.meta({ description: "SIP address, at most 255 characters", example: "sip:ada@voice.example" }),
	})
	.meta({ id: "RuntimeCaller", description: "Person at the other end. Feeds `user_phone_number` tools." });

const MINUTE = 60;

export const OpenRuntimeSession = z
	.strictObject({
		variables: RuntimeVariables.default({}),
		caller: Caller.default({}),
		call_id: Uuid.nullable()
			.default(null)
			.meta({
				description:
					"Live call of the agent that was recorded before. The session's tool calls appear on it, and its direction " +
					"chooses the greeting. Default null.",
			}),
		ttl_seconds: z
			.int()
			.min(MINUTE)
			.max(240 * MINUTE)
			.default(60 * MINUTE)
			.meta({ description: "Life of the session, from 60 to 14,400 seconds. Default 3,600." }),
		mocks: z
			.boolean()
			.default(false)
			.meta({
				description:
					"Whether tools answer from the mocks of their test cases instead of running. A call that matches no mock fails. " +
					"Default false.",
			}),
	})
	.meta({
		id: "OpenRuntimeSession",
		example: { variables: { customer_name: "Ada" }, caller: { phone_number: "+14155550100" } },
	});
export type OpenRuntimeSession = z.infer<typeof OpenRuntimeSession>;

const AgentVersion = z.int().min(1).meta({ description: "Version of the agent for the life of the session" });

/** Answer to an opening, the only one that holds the token. */
export const OpenedRuntimeSession = z
	.object({
		session_id: Uuid.meta({ description: "Id of the session" }),
		token: z.string().nullable().meta({
			description:
				"Credential of the session, `parley_st_…`. It is shown only here; null when the request repeats an `Idempotency-Key`.",
		}),
		expires_at: Timestamp.meta({ description: "Time at which the session ends by itself" }),
		agent_version: AgentVersion,
		greeting: z.string().meta({
			description:
				"First words of the agent, with placeholders resolved: the inbound or outbound greeting, if the call has a direction and the agent has one",
		}),
		system_prompt: z
			.string()
			.meta({ description: "Instructions to the language model, with placeholders resolved" }),
		models: AgentModels,
		mcp_url: z.url().meta({ description: "Address of the agent's MCP endpoint, for the token" }),
		tools_url: z.url().meta({ description: "Address of the agent's toolset, for the token" }),
		warnings: z.array(z.string()).meta({
			description:
				"Placeholders that were left as they are, such as one that names a secret. Empty otherwise.",
		}),
	})
	.meta({
		id: "OpenedRuntimeSession",
		example: {
			session_id: "01938f5e-7c00-7000-8000-0000000000d1",
			token: "parley_st_3vXo8pT1mZrQe5Yk2LwN7uBd9HsGfJ4aC6xQaR",
			expires_at: "2026-11-20T10:30:00.000Z",
			agent_version: 3,
			greeting: "Miller's Bakery, good morning Ada!",
			system_prompt: "You answer the telephone of Miller's Bakery. Be brief.",
			models: {
				...{ stt: null, llm: null, tts: null, tts_voice: null },
				...{ stt_kwargs: {}, llm_kwargs: {}, tts_kwargs: {} },
			},
			mcp_url: "https://parley.example/v1/agents/01938f5e-7c00-7000-8000-0000000000a1/mcp",
			tools_url: "https://parley.example/v1/agents/01938f5e-7c00-7000-8000-0000000000a1/tools",
			warnings: [],
		},
	});
export type OpenedRuntimeSession = z.infer<typeof OpenedRuntimeSession>;

export const RuntimeSessionStatus = z.enum(["open", "ended", "expired"]).meta({
	id: "RuntimeSessionStatus",
	description: "Whether the token works. ended: somebody ended the session before its time.",
});

export const RuntimeSession = z
	.object({
		session_id: Uuid.meta({ description: "Id of the session" }),
		agent_id: Uuid.meta({ description: "Agent of the session" }),
		agent_version: AgentVersion,
		status: RuntimeSessionStatus,
		variables: RuntimeVariables,
		caller: Caller,
		call_id: Uuid.nullable().meta({ description: "Recorded call of the session; null for none" }),
		mocks: z.boolean().meta({ description: "Whether tools answer from the mocks of their test cases" }),
		created_by: z.string().meta({
			description: "Who opened the session: `api_key:<id>` or `user:<id>`",
			example: "api_key:01938f5e-7c00-7000-8000-000000000001",
		}),
		created_at: Timestamp.meta({ description: "Time of the opening" }),
		expires_at: Timestamp.meta({ description: "Time at which the session ends by itself" }),
		ended_at: Timestamp.nullable().meta({
			description: "Time at which somebody ended the session; null if nobody did",
			example: null,
		}),
	})
	.meta({ id: "RuntimeSession" });
export type RuntimeSession = z.infer<typeof RuntimeSession>;

export const RuntimeSessionPage = keysetPageOf(RuntimeSession).meta({ id: "RuntimeSessionPage" });
export const RuntimeSessionQuery = z.strictObject({
	...keysetQuery(50, 200),
	call_id: Uuid.optional().meta({ description: "Recorded call of the session" }),
});
export type RuntimeSessionQuery = z.infer<typeof RuntimeSessionQuery>;
