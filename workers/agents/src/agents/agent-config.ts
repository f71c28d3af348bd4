import { labelledHash } from "@parley/canonical/hash";
import { canonicalJson } from "@parley/canonical/jcs";
import { type Agent, AgentConfig, type UpdateAgent } from "@parley/contracts/agents";
import type { agents } from "@parley/db/agents";

export type AgentRow = typeof agents.$inferSelect;

const FIELDS = Object.keys(AgentConfig.shape) as (keyof AgentConfig)[];

/** The configuration alone of a body or a record that holds more. */
export const configOf = (source: AgentConfig): AgentConfig =>
	Object.fromEntries(FIELDS.map((field) => [field, source[field]])) as AgentConfig;

/** The configuration after an update: `models` is merged member by member, anything else given is replaced whole. */
export const merge = (config: AgentConfig, update: UpdateAgent): AgentConfig =>
	configOf({ ...config, ...update, models: { ...config.models, ...update.models } });

/** The fields that differ, in the order of the contract. */
export const changedFields = (before: AgentConfig, after: AgentConfig): string[] =>
	FIELDS.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]));

/** What `config_hash` and an upgrade's `current_config_hash` are: a hash over the exported configuration. */
export const hashConfig = (config: AgentConfig): Promise<string> => labelledHash("parley.agent.v1", config);

export const toAgent = (row: AgentRow): Agent => ({
	id: row.id,
	organisation_id: row.organisationId,
	...configOf(row.config),
	status: row.status,
	version_number: row.versionNumber,
	revision: row.revision,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
});
