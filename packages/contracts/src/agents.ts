import { z } from "zod";
import {
	AgentMcpRef,
	AgentToolRef,
	GivenMcpRef,
	GivenToolRef,
	McpRef,
	TemplateValues,
	ToolRef,
} from "./attachments.ts";
import { arrayQuery, nameFilter, pageOf, pageQuery, Timestamp, Uuid } from "./common.ts";

export const AgentStatus = z.enum(["active", "inactive"]).meta({ id: "AgentStatus" });
export type AgentStatus = z.infer<typeof AgentStatus>;

export const Region = z
	.enum(["any", "na", "eu", "ap"])
	.meta({ id: "AgentRegion", description: "`any`, or the world part where the agent's calls are handled" });

const Model = z.string().min(1).max(255).nullable();
const Kwargs = z.record(z.string().min(1).max(128), z.unknown());
const modelFields = { stt: Model, llm: Model, tts: Model, tts_voice: Model };
const kwargFields = { stt_kwargs: Kwargs, llm_kwargs: Kwargs, tts_kwargs: Kwargs };

export const AgentModels = z.object({ ...modelFields, ...kwargFields }).meta({ id: "AgentModels" });
export type AgentModels = z.infer<typeof AgentModels>;

const NO_MODELS: AgentModels = {
	...{ stt: null, llm: null, tts: null, tts_voice: null },
	...{ stt_kwargs: {}, llm_kwargs: {}, tts_kwargs: {} },
};

const CreateModels = z.strictObject({
	...{ stt: Model.default(null), llm: Model.default(null) },
	...{ tts: Model.default(null), tts_voice: Model.default(null) },
	...{ stt_kwargs: Kwargs.default({}), llm_kwargs: Kwargs.default({}), tts_kwargs: Kwargs.default({}) },
});

const MAX_NAME = 255;
const AgentName = z
	.string()
	.min(1)
	.max(MAX_NAME)
	.meta({ description: "Unique among the organisation's live agents", example: "Front desk" });
const Greeting = z.string().max(4000);
const frontDesk = {
	name: "Front desk",
	description: "Takes orders by telephone",
	system_prompt: "You answer the telephone of Miller's Bakery. Be brief.",
	greeting: "Miller's Bakery, good morning!",
	language: "en",
};

/** Each field of a configuration as it is stored and answered. */
const content = {
	name: AgentName,
	description: z.string().max(2000),
	system_prompt: z.string().max(100_000),
	greeting: Greeting,
	inbound_greeting: Greeting.nullable(),
	outbound_greeting: Greeting.nullable(),
	language: z.string().min(1).max(10),
	region: Region,
	inbound_enabled: z.boolean(),
	outbound_enabled: z.boolean(),
	template_defaults: TemplateValues,
	tool_refs: z.array(ToolRef).max(128),
	mcp_refs: z.array(McpRef).max(128),
};

/** What an agent is, apart from its state: what `config` exports, versions keep and `config_hash` covers. */
export const AgentConfig = z.object({ ...content, models: AgentModels }).meta({ id: "AgentConfig" });
export type AgentConfig = z.infer<typeof AgentConfig>;

const givenRefs = { tool_refs: z.array(GivenToolRef).max(128), mcp_refs: z.array(GivenMcpRef).max(128) };

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

/** Takes what `GET /v1/agents/{agent_id}/config` gives. */
export const ImportAgent = z.strictObject(withDefaults).meta({ id: "ImportAgent", example: frontDesk });
export type ImportAgent = z.infer<typeof ImportAgent>;

export const CreateAgent = z
	.strictObject({ ...withDefaults, status: AgentStatus.default("active") })
	.meta({ id: "CreateAgent", example: frontDesk });
export type CreateAgent = z.infer<typeof CreateAgent>;

/** Fields left out stay as they are. `models` is merged member by member; lists and maps are replaced whole. */
export const UpdateAgent = z
	.strictObject({
		...content,
		...givenRefs,
		models: z.strictObject({ ...modelFields, ...kwargFields }).partial(),
		status: AgentStatus,
	})
	.partial()
	.meta({ id: "UpdateAgent", example: { greeting: "Miller's Bakery, good evening!" } });
export type UpdateAgent = z.infer<typeof UpdateAgent>;

/** Every field left out gets its default. */
export const ReplaceAgent = CreateAgent.meta({ id: "ReplaceAgent" });

export const DuplicateAgent = z
	.strictObject({ name: AgentName })
	.meta({ id: "DuplicateAgent", example: { name: "Front desk, night shift" } });
export type DuplicateAgent = z.infer<typeof DuplicateAgent>;

const record = {
	id: Uuid,
	organisation_id: Uuid,
	status: AgentStatus,
	version_number: z.int().min(1).meta({ description: "The version that holds the present configuration" }),
	revision: z.int().min(1).meta({ description: "Counts every change, of state as well as of configuration" }),
	created_at: Timestamp,
	updated_at: Timestamp,
};

export const Agent = z
	.object({
		...record,
		...AgentConfig.shape,
		tool_refs: z.array(AgentToolRef),
		mcp_refs: z.array(AgentMcpRef),
	})
	.meta({ id: "Agent" });
export type Agent = z.infer<typeof Agent>;

/** An agent in a list: without its prompts and attachments. */
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

export const AgentVersionSource = z.enum(["api", "console", "upgrade", "import", "restore"]);
export type AgentVersionSource = z.infer<typeof AgentVersionSource>;

export const AgentVersionItem = z
	.object({
		version_number: z.int().min(1),
		config_hash: z.string(),
		changed_fields: z
			.array(z.string())
			.meta({ description: "Against the version before; empty for the first" }),
		source: AgentVersionSource,
		actor: z.string(),
		created_at: Timestamp,
	})
	.meta({ id: "AgentVersionItem" });
export type AgentVersionItem = z.infer<typeof AgentVersionItem>;

export const AgentVersion = AgentVersionItem.extend({ config: AgentConfig }).meta({ id: "AgentVersion" });
export type AgentVersion = z.infer<typeof AgentVersion>;

export const AgentVersionPage = pageOf(AgentVersionItem).meta({ id: "AgentVersionPage" });
export const AgentVersionQuery = z.strictObject(pageQuery(20, 100));
export type AgentVersionQuery = z.infer<typeof AgentVersionQuery>;

/** What an import would make. */
export const ImportPlan = z
	.object({
		dry_run: z.literal(true),
		action: z.literal("create"),
		name: z.string(),
		config_hash: z.string(),
		references: z.object({
			tools: z.array(z.object({ tool_id: Uuid, version: z.int() })),
			mcp_tools: z.array(z.object({ server_id: Uuid, tool_name: z.string() })),
			vault: z.array(z.string()),
		}),
	})
	.meta({ id: "ImportPlan" });
export type ImportPlan = z.infer<typeof ImportPlan>;

export const ImportQuery = z.strictObject({
	dry_run: z.stringbool().default(false).meta({ description: "Answer what would be made, and make nothing" }),
});
