import { canonicalJson } from "@parley/canonical/jcs";
import type { AgentConfig, AgentStatus } from "@parley/contracts/agents/agents";
import type { McpRef } from "@parley/contracts/agents/attachments";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { ApiError, type FieldError } from "@parley/contracts/shared/api-error";
import { matchesPin } from "@parley/mcp-servers/schema-hash";
import type { Ctx } from "../context.ts";
import { findVaultNames, referencesOf } from "../secrets/references.ts";
import { findMissingTools } from "../tools/find-tool.ts";
import { attachmentProblems } from "./attachments/attachment-rules.ts";
import { findMcpOffers, type McpOffer } from "./attachments/mcp-offers.ts";
import { overrideProblems, unknownArguments } from "./attachments/override-rules.ts";
import { findPinnedVersions, pinKey } from "./attachments/pinned-versions.ts";

export type AgentState = { config: AgentConfig; status: AgentStatus };
type Located<T> = { ref: T; path: string };

/**
 * Checks that everything an agent refers to exists. Skips unchanged attachments, because pinned versions do not change and a
 * server that is down must not block a change of the greeting. When an inactive agent is activated, checks again that all its
 * tools and servers still exist.
 * @throws ApiError VALIDATION_FAILED with a field for each broken reference; MCP_CAPABILITY_UNAVAILABLE if only MCP servers
 * or their tools are unavailable.
 */
export async function checkReferences(ctx: Ctx, next: AgentState, before?: AgentState): Promise<void> {
	const { config } = next;
	const problems = attachmentProblems(config);
	if (problems.length > 0) throw invalid(problems);
	const mcp = await checkMcpRefs(ctx, next, before);
	const fields = [
		...(await checkToolRefs(ctx, next, before)),
		...mcp.problems,
		...(await checkVaultNames(ctx, config)),
	];
	if (fields.length > 0) throw invalid(fields);
	if (mcp.unavailable.length > 0)
		throw new ApiError(
			"MCP_CAPABILITY_UNAVAILABLE",
			"An MCP tool has changed, or its server is not healthy",
			{
				fields: mcp.unavailable,
			},
		);
}

/** Rejects a changed tool or version of an existing attachment: only an accepted upgrade changes them. @throws ApiError VALIDATION_FAILED */
export function checkPins(config: AgentConfig, before: AgentConfig): void {
	const previous = new Map(before.tool_refs.map((ref) => [ref.attachment_id, ref]));
	const fields = config.tool_refs.flatMap((ref, i) => {
		const pinned = previous.get(ref.attachment_id);
		if (!pinned) return [];
		return (["tool_id", "version"] as const)
			.filter((key) => ref[key] !== pinned[key])
			.map((key) => ({ path: `tool_refs.${i}.${key}`, message: "Changes only by accepting an upgrade" }));
	});
	if (fields.length > 0) throw invalid(fields);
}

const invalid = (fields: FieldError[]): ApiError =>
	new ApiError("VALIDATION_FAILED", `${fields[0]?.path}: ${fields[0]?.message}`, { fields });

/** Returns the attachments that are new or differ from `before`. */
export function changedAttachments<K extends "tool_refs" | "mcp_refs">(
	config: AgentConfig,
	before: AgentConfig | undefined,
	key: K,
): Located<AgentConfig[K][number]>[] {
	const previous = new Set(before?.[key].map((ref) => canonicalJson(ref)));
	return config[key]
		.map((ref, i) => ({ ref, path: `${key}.${i}` }))
		.filter(({ ref }) => !previous.has(canonicalJson(ref)));
}

async function checkToolRefs(ctx: Ctx, next: AgentState, before?: AgentState): Promise<FieldError[]> {
	const changedRefs = changedAttachments(next.config, before?.config, "tool_refs");
	const isNew = new Set(changedRefs.map(({ path }) => path));
	const toCheck = isActivated(next, before)
		? changedAttachments(next.config, undefined, "tool_refs")
		: changedRefs;
	const pins = toCheck.map(({ ref }) => ref);
	const versions = await findPinnedVersions(ctx, pins);
	const unfound = pins.filter((pin) => !versions.has(pinKey(pin)));
	const missingTools = await findMissingTools(
		ctx,
		unfound.map(({ tool_id }) => tool_id),
	);
	return toCheck.flatMap(({ ref, path }) => {
		const version = versions.get(pinKey(ref));
		if (version) return isNew.has(path) ? withPathPrefix(path, overrideProblems(ref, version.snapshot)) : [];
		return missingTools.has(ref.tool_id)
			? [{ path: `${path}.tool_id`, message: `Tool not found: ${ref.tool_id}` }]
			: [{ path: `${path}.version`, message: `Tool version not found: ${ref.version}` }];
	});
}

async function checkMcpRefs(ctx: Ctx, next: AgentState, before: AgentState | undefined) {
	const changedRefs = changedAttachments(next.config, before?.config, "mcp_refs");
	const toCheck = isActivated(next, before)
		? changedAttachments(next.config, undefined, "mcp_refs")
		: changedRefs;
	const offers = await findMcpOffers(
		ctx,
		toCheck.map(({ ref }) => ref),
	);
	const missing = toCheck
		.filter(({ ref }) => !offers.has(ref.server_id))
		.map(({ ref, path }) => ({
			path: `${path}.server_id`,
			message: `MCP server not found: ${ref.server_id}`,
		}));
	const found = await findOffered(changedRefs, offers);
	const overrides = found.flatMap(({ ref, path, tool }) =>
		tool ? withPathPrefix(path, unknownOverrides(ref, tool)) : [],
	);
	const unavailable = found.flatMap(({ path, offer, tool, isAsPinned }) => {
		if (offer.status !== "healthy")
			return [{ path: `${path}.server_id`, message: `The server is ${offer.status}` }];
		if (!tool) return [{ path: `${path}.tool_name`, message: "The server does not offer this tool now" }];
		return isAsPinned ? [] : [{ path: `${path}.observed_schema_hash`, message: HASH_MISMATCH }];
	});
	return { problems: [...missing, ...overrides], unavailable };
}

/** Returns the changed attachments whose server exists, each with the server's current tool. */
async function findOffered(changedRefs: Located<McpRef>[], offers: Map<string, McpOffer>) {
	const found = changedRefs.map(async ({ ref, path }) => {
		const offer = offers.get(ref.server_id);
		if (!offer) return [];
		const tool = offer.tools.get(ref.tool_name);
		const isAsPinned = tool !== undefined && (await matchesPin(tool, ref.observed_schema_hash));
		return [{ ref, path, offer, tool, isAsPinned }];
	});
	return (await Promise.all(found)).flat();
}

const HASH_MISMATCH = "Does not match the tool's current definition: use its current schema_hash";

/** Finds overrides of arguments that the server's tool does not have. */
const unknownOverrides = (ref: McpRef, { input_schema }: DiscoveredTool): FieldError[] =>
	unknownArguments(
		ref.argument_overrides,
		input_schema,
		"argument_overrides",
		"The server's tool has no such argument",
	);

/** Returns true if a change activates the agent or creates an active one. */
export const isActivated = (next: AgentState, before?: AgentState): boolean =>
	next.status === "active" && before?.status !== "active";

async function checkVaultNames(ctx: Ctx, config: AgentConfig): Promise<FieldError[]> {
	const references = referencesOf({ type: "agent", config });
	const existing = await findVaultNames(ctx, references);
	return references
		.filter(({ name }) => !existing.has(name))
		.map(({ name, location }) => ({ path: location, message: `Vault entry not found: ${name}` }));
}

const withPathPrefix = (base: string, problems: FieldError[]): FieldError[] =>
	problems.map(({ path, message }) => ({ path: `${base}.${path}`, message }));
