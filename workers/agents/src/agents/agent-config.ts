import { labelledHash } from "@parley/canonical/hash";
import { canonicalJson } from "@parley/canonical/jcs";
import { type Agent, AgentConfig, type UpdateAgent } from "@parley/contracts/agents/agents";
import type {
	GivenMcpRef,
	GivenToolRef,
	McpDrift,
	McpRef,
	ToolRef,
} from "@parley/contracts/agents/attachments";
import type { agents } from "@parley/db/agents/agents";

export type AgentRow = typeof agents.$inferSelect;

const FIELDS = Object.keys(AgentConfig.shape) as (keyof AgentConfig)[];

type Given = Omit<AgentConfig, "tool_refs" | "mcp_refs"> & {
	tool_refs: readonly GivenToolRef[];
	mcp_refs: readonly GivenMcpRef[];
};

/** The configuration alone of a body or a record that holds more. */
export const configOf = (source: Given): AgentConfig => ({
	...(Object.fromEntries(FIELDS.map((field) => [field, source[field]])) as AgentConfig),
	tool_refs: source.tool_refs.map(({ tool_deleted, ...ref }): ToolRef => ref),
	mcp_refs: source.mcp_refs.map(({ drifted, drift, ...ref }): McpRef => ref),
});

/** The configuration after an update: `models` is merged member by member, anything else given is replaced whole. */
export const merge = (config: AgentConfig, update: UpdateAgent): AgentConfig =>
	configOf({ ...config, ...update, models: { ...config.models, ...update.models } });

/** The fields that differ, in the order of the contract. */
export const changedFields = (before: AgentConfig, after: AgentConfig): string[] =>
	FIELDS.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]));

/** What `config_hash` and an upgrade's `current_config_hash` are: a hash over the exported configuration. */
export const hashConfig = (config: AgentConfig): Promise<string> => labelledHash("parley.agent.v1", config);

/** What has become of the tools that an agent is pinned to. */
export type AttachedTools = {
	/** Ids of the tools that were deleted. */
	deleted: ReadonlySet<string>;
	/** Drift of MCP tools by attachment id. An attachment that is not in it has not drifted. */
	drifts: ReadonlyMap<string, McpDrift>;
};

export const toAgent = (row: AgentRow, { deleted, drifts }: AttachedTools): Agent => ({
	id: row.id,
	organisation_id: row.organisationId,
	...configOf(row.config),
	tool_refs: row.config.tool_refs.map((ref) => ({ ...ref, tool_deleted: deleted.has(ref.tool_id) })),
	mcp_refs: row.config.mcp_refs.map((ref) => {
		const drift = drifts.get(ref.attachment_id) ?? null;
		return { ...ref, drifted: drift !== null, drift };
	}),
	status: row.status,
	version_number: row.versionNumber,
	revision: row.revision,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
});
