import { z } from "zod";
import { arrayQuery, nameFilter, pageOf, pageQuery, Timestamp, Uuid } from "../shared/common.ts";
import {
	AgentMcpRef,
	AgentToolRef,
	GivenMcpRef,
	GivenToolRef,
	McpRef,
	TemplateValues,
	ToolRef,
} from "./attachments.ts";

export const AgentStatus = z.enum(["active", "inactive"]).meta({
	id: "AgentStatus",
	description: "Whether the agent handles calls. Default active.",
});
export type AgentStatus = z.infer<typeof AgentStatus>;

export const Region = z
	.enum(["any", "na", "eu", "ap"])
	.meta({ id: "AgentRegion", description: "World part where the agent's calls are handled. Default any." });

const model = (kind: string) =>
	z
		.string()
		.min(1)
		.max(255)
		.nullable()
		.meta({
			description: `${kind}, at most 255 characters. Null for the voice runtime's default. Default null.`,
		});
const kwargs = (kind: string) =>
	z
		.record(z.string().min(1).max(128), z.unknown())
		.meta({ description: `Options of the ${kind} model, by name. Default {}.` });
const modelFields = {
	stt: model("Code of the speech recognition model"),
	llm: model("Code of the language model"),
	tts: model("Code of the speech synthesis model"),
	tts_voice: model("Voice of the speech synthesis model"),
};
const kwargFields = {
	stt_kwargs: kwargs("speech recognition"),
	llm_kwargs: kwargs("language"),
	tts_kwargs: kwargs("speech synthesis"),
};

export const AgentModels = z
	.object({ ...modelFields, ...kwargFields })
	.meta({ id: "AgentModels", description: "Models that the agent uses, and their options" });
export type AgentModels = z.infer<typeof AgentModels>;

const NO_MODELS: AgentModels = {
	...{ stt: null, llm: null, tts: null, tts_voice: null },
	...{ stt_kwargs: {}, llm_kwargs: {}, tts_kwargs: {} },
};

const CreateModels = z
	.strictObject({
		stt: modelFields.stt.default(null),
		llm: modelFields.llm.default(null),
		tts: modelFields.tts.default(null),
		tts_voice: modelFields.tts_voice.default(null),
		stt_kwargs: kwargFields.stt_kwargs.default({}),
		llm_kwargs: kwargFields.llm_kwargs.default({}),
		tts_kwargs: kwargFields.tts_kwargs.default({}),
	})
	.meta({ description: "Models that the agent uses, and their options" });

const MAX_NAME = 255;
const AgentName = z.string().min(1).max(MAX_NAME).meta({
	description: "Name of the agent, at most 255 characters. Unique among the organisation's live agents.",
	example: "Front desk",
});
const greeting = (description: string) =>
	z
		.string()
		.max(4000)
		.meta({ description: `${description}, at most 4000 characters. May contain placeholders.` });
const frontDesk = {
	name: "Front desk",
	description: "Takes orders by telephone",
	system_prompt: "You answer the telephone of Miller's Bakery. Be brief.",
	greeting: "Miller's Bakery, good morning!",
	language: "en",
};

const TOOL_REFS = "Attached tools, at most 128, each pinned to a published version. Default [].";
const MCP_REFS = "Attached tools of MCP servers, at most 128, each pinned by its schema hash. Default [].";

/** Fields of a configuration as they are stored and answered. */
const content = {
	name: AgentName,
	description: z
		.string()
		.max(2000)
		.meta({ description: "Purpose of the agent, for people. At most 2000 characters." }),
	system_prompt: z.string().max(100_000).meta({
		description: "Instructions to the language model, at most 100,000 characters. May contain placeholders.",
	}),
	greeting: greeting("First words of the agent"),
	inbound_greeting: greeting("First words on inbound calls").nullable(),
	outbound_greeting: greeting("First words on outbound calls").nullable(),
	language: z
		.string()
		.min(1)
		.max(10)
		.meta({ description: "Language of the calls, at most 10 characters. Default en.", example: "en" }),
	region: Region,
	inbound_enabled: z.boolean().meta({ description: "Whether the agent takes inbound calls. Default true." }),
	outbound_enabled: z
		.boolean()
		.meta({ description: "Whether the agent places outbound calls. Default true." }),
	template_defaults: TemplateValues.meta({
		description: "Values of {{name}} placeholders that a call does not give, by name. Default {}.",
	}),
	tool_refs: z.array(ToolRef).max(128).meta({ description: TOOL_REFS }),
	mcp_refs: z.array(McpRef).max(128).meta({ description: MCP_REFS }),
};

/** Configuration of an agent: the part that `config` exports, versions keep and `config_hash` covers. */
export const AgentConfig = z.object({ ...content, models: AgentModels }).meta({ id: "AgentConfig" });
export type AgentConfig = z.infer<typeof AgentConfig>;

const givenRefs = {
	tool_refs: z.array(GivenToolRef).max(128).meta({ description: TOOL_REFS }),
	mcp_refs: z.array(GivenMcpRef).max(128).meta({ description: MCP_REFS }),
};

const withDefaults = {
	name: content.name,
	description: content.description.default(""),
	system_prompt: content.system_prompt.default(""),
	greeting: content.greeting.default(""),
	inbound_greeting: content.inbound_greeting.default(null),
	outbound_greeting: content.outbound_greeting.default(null),
	language: content.language.default("en"),
	region: content.region.default("any"),
	inbound_enabled: content.inbound_enabled.default(true),
	outbound_enabled: content.outbound_enabled.default(true),
	models: CreateModels.default(NO_MODELS),
	template_defaults: content.template_defaults.default({}),
	tool_refs: givenRefs.tool_refs.default([]),
	mcp_refs: givenRefs.mcp_refs.default([]),
};

/** Configuration as `GET /v1/agents/{agent_id}/config` returns it. */
export const ImportAgent = z.strictObject(withDefaults).meta({ id: "ImportAgent", example: frontDesk });
export type ImportAgent = z.infer<typeof ImportAgent>;

export const CreateAgent = z
	.strictObject({ ...withDefaults, status: AgentStatus.default("active") })
	.meta({ id: "CreateAgent", example: frontDesk });
export type CreateAgent = z.infer<typeof CreateAgent>;

/** Omitted fields stay unchanged. `models` is merged member by member; lists and maps are replaced as a whole. */
export const UpdateAgent = z
	.strictObject({
		...content,
		...givenRefs,
		models: z
			.strictObject({ ...modelFields, ...kwargFields })
			.partial()
			.meta({ description: "Models to change. Omitted members stay unchanged." }),
		status: AgentStatus,
	})
	.partial()
	.meta({ id: "UpdateAgent", example: { greeting: "Miller's Bakery, good evening!" } });
export type UpdateAgent = z.infer<typeof UpdateAgent>;

/** Omitted fields get their defaults. */
export const ReplaceAgent = CreateAgent.meta({ id: "ReplaceAgent" });

export const DuplicateAgent = z
	.strictObject({ name: AgentName })
	.meta({ id: "DuplicateAgent", example: { name: "Front desk, night shift" } });
export type DuplicateAgent = z.infer<typeof DuplicateAgent>;

const record = {
	id: Uuid,
	organisation_id: Uuid,
	status: AgentStatus,
	version_number: z
		.int()
		.min(1)
		.meta({ description: "Number of the version that holds the current configuration" }),
	revision: z
		.int()
		.min(1)
		.meta({ description: "Number of the agent's state. Each change of configuration or status adds one." }),
	created_at: Timestamp.meta({ description: "Time of creation" }),
	updated_at: Timestamp.meta({ description: "Time of the last change" }),
};

export const Agent = z
	.object({
		...record,
		...AgentConfig.shape,
		tool_refs: z.array(AgentToolRef).meta({ description: "Attached tools" }),
		mcp_refs: z.array(AgentMcpRef).meta({ description: "Attached tools of MCP servers" }),
	})
	.meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

/** Agent in a list, without its prompts and attachments. */
export const AgentListItem = z
	.object({
		...record,
		name: content.name,
		description: content.description,
		language: content.language,
		region: content.region,
		inbound_enabled: content.inbound_enabled,
		outbound_enabled: content.outbound_enabled,
	})
	.meta({ id: "AgentListItem" });
export type AgentListItem = z.infer<typeof AgentListItem>;

export const AgentQuery = z.strictObject({ ...arrayQuery, ...nameFilter(MAX_NAME) });
export type AgentQuery = z.infer<typeof AgentQuery>;

export const AgentVersionSource = z.enum(["api", "console", "upgrade", "import", "restore"]).meta({
	id: "AgentVersionSource",
	description: "What created the version: a request, the console, an upgrade, an import or a restore",
});
export type AgentVersionSource = z.infer<typeof AgentVersionSource>;

const ConfigHash = z
	.string()
	.meta({ description: "SHA-256 of the configuration in lower-case hex", example: "a".repeat(64) });

export const AgentVersionItem = z
	.object({
		version_number: z.int().min(1).meta({ description: "Number of the version, from 1" }),
		config_hash: ConfigHash,
		changed_fields: z
			.array(z.string())
			.meta({ description: "Fields that differ from the version before. Empty for the first." }),
		source: AgentVersionSource,
		actor: z.string().meta({
			description: "Who made the change: `api_key:<id>` or `user:<id>`",
			example: "api_key:01938f5e-7c00-7000-8000-000000000001",
		}),
		created_at: Timestamp.meta({ description: "Time of creation" }),
	})
	.meta({ id: "AgentVersionItem" });
export type AgentVersionItem = z.infer<typeof AgentVersionItem>;

export const AgentVersion = AgentVersionItem.extend({
	config: AgentConfig.meta({ description: "Configuration of the agent in this version" }),
}).meta({ id: "AgentVersion" });
export type AgentVersion = z.infer<typeof AgentVersion>;

export const AgentVersionPage = pageOf(AgentVersionItem).meta({ id: "AgentVersionPage" });
export const AgentVersionQuery = z.strictObject(pageQuery(20, 100));
export type AgentVersionQuery = z.infer<typeof AgentVersionQuery>;

/** Agent that an import would create. */
export const ImportPlan = z
	.object({
		dry_run: z.literal(true).meta({ description: "Always true: nothing was created" }),
		action: z.literal("create").meta({ description: "What an import would do: always create" }),
		name: z.string().meta({ description: "Name of the agent" }),
		config_hash: ConfigHash,
		references: z
			.object({
				tools: z
					.array(z.object({ tool_id: Uuid, version: z.int().meta({ description: "Pinned version" }) }))
					.meta({ description: "Attached tools" }),
				mcp_tools: z
					.array(
						z.object({ server_id: Uuid, tool_name: z.string().meta({ description: "Name of the tool" }) }),
					)
					.meta({ description: "Attached tools of MCP servers" }),
				vault: z.array(z.string()).meta({ description: "Names of the vault entries" }),
			})
			.meta({ description: "Resources that the configuration refers to. All of them exist." }),
	})
	.meta({ id: "ImportPlan" });
export type ImportPlan = z.infer<typeof ImportPlan>;

export const ImportQuery = z.strictObject({
	dry_run: z.stringbool().default(false).meta({
		description: "Whether to report what an import would create, without creating it. Default false.",
	}),
});
