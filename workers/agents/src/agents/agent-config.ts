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

type ConfigSource = Omit<AgentConfig, "tool_refs" | "mcp_refs"> & {
	tool_refs: readonly GivenToolRef[];
	mcp_refs: readonly GivenMcpRef[];
};

/** Picks the configuration from a request body or a stored agent, without read-only members. */
export const configOf = (source: ConfigSource): AgentConfig => ({
	...(Object.fromEntries(FIELDS.map((field) => [field, source[field]])) as AgentConfig),
	tool_refs: source.tool_refs.map(({ tool_deleted, ...ref }): ToolRef => ref),
	mcp_refs: source.mcp_refs.map(({ drifted, drift, ...ref }): McpRef => ref),
});

/** Applies an update to a configuration. `models` is merged member by member; every other given field is replaced as a whole. */
export const mergeConfig = (config: AgentConfig, update: UpdateAgent): AgentConfig =>
	configOf({ ...config, ...update, models: { ...config.models, ...update.models } });

/** Returns the names of the fields that differ, in the order of the contract. */
export const changedFields = (before: AgentConfig, after: AgentConfig): string[] =>
	FIELDS.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]));

/** Hashes an exported configuration, for `config_hash` and an upgrade's `current_config_hash`. */
export const hashConfig = (config: AgentConfig): Promise<string> => labelledHash("parley.agent.v1", config);

/** State of the tools that an agent is pinned to. */
export type AttachedTools = {
	/** Ids of the tools that were deleted. */
	deleted: ReadonlySet<string>;
	/** Drift of MCP tools by attachment id. An attachment that is not in it has not drifted. */
	drifts: ReadonlyMap<string, McpDrift>;
};

/** Builds the wire form of an agent. */
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
