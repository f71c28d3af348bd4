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
type Checked<T> = { ref: T; path: string };

/**
 * Holds an agent to what it refers to. An attachment that it had before is not looked at again: what it is pinned to does not
 * change, and a server that is down must not stop a change of the greeting. Only tools and servers may have gone while the
 * agent was inactive.
 * @throws ApiError VALIDATION_FAILED with a field for each reference that leads nowhere; MCP_CAPABILITY_UNAVAILABLE when
 * nothing is wrong but an MCP server.
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
		throw new ApiError("MCP_CAPABILITY_UNAVAILABLE", "An MCP tool is not available as it was observed", {
			fields: mcp.unavailable,
		});
}

/** A pin moves only by an upgrade: an attachment that stays may change anything but its tool and version. */
export function checkPins(config: AgentConfig, before: AgentConfig): void {
	const held = new Map(before.tool_refs.map((ref) => [ref.attachment_id, ref]));
	const fields = config.tool_refs.flatMap((ref, i) => {
		const pinned = held.get(ref.attachment_id);
		if (!pinned) return [];
		return (["tool_id", "version"] as const)
			.filter((key) => ref[key] !== pinned[key])
			.map((key) => ({ path: `tool_refs.${i}.${key}`, message: "Changes only by accepting an upgrade" }));
	});
	if (fields.length > 0) throw invalid(fields);
}

const invalid = (fields: FieldError[]): ApiError =>
	new ApiError("VALIDATION_FAILED", `${fields[0]?.path}: ${fields[0]?.message}`, { fields });

/** The attachments that `before` does not have just so. */
export function changed<K extends "tool_refs" | "mcp_refs">(
	config: AgentConfig,
	before: AgentConfig | undefined,
	key: K,
): Checked<AgentConfig[K][number]>[] {
	const held = new Set(before?.[key].map((ref) => canonicalJson(ref)));
	return config[key]
		.map((ref, i) => ({ ref, path: `${key}.${i}` }))
		.filter(({ ref }) => !held.has(canonicalJson(ref)));
}

async function checkToolRefs(ctx: Ctx, next: AgentState, before?: AgentState): Promise<FieldError[]> {
	const written = changed(next.config, before?.config, "tool_refs");
	const isNew = new Set(written.map(({ path }) => path));
	const looked = isActivated(next, before) ? changed(next.config, undefined, "tool_refs") : written;
	const pins = looked.map(({ ref }) => ref);
	const versions = await findPinnedVersions(ctx, pins);
	const unfound = pins.filter((pin) => !versions.has(pinKey(pin)));
	const missingTools = await findMissingTools(
		ctx,
		unfound.map(({ tool_id }) => tool_id),
	);
	return looked.flatMap(({ ref, path }) => {
		const version = versions.get(pinKey(ref));
		if (version) return isNew.has(path) ? under(path, overrideProblems(ref, version.snapshot)) : [];
		return missingTools.has(ref.tool_id)
			? [{ path: `${path}.tool_id`, message: `Tool not found: ${ref.tool_id}` }]
			: [{ path: `${path}.version`, message: `Tool version not found: ${ref.version}` }];
	});
}

async function checkMcpRefs(ctx: Ctx, next: AgentState, before: AgentState | undefined) {
	const written = changed(next.config, before?.config, "mcp_refs");
	const looked = isActivated(next, before) ? changed(next.config, undefined, "mcp_refs") : written;
	const offers = await findMcpOffers(
		ctx,
		looked.map(({ ref }) => ref),
	);
	const missing = looked
		.filter(({ ref }) => !offers.has(ref.server_id))
		.map(({ ref, path }) => ({
			path: `${path}.server_id`,
			message: `MCP server not found: ${ref.server_id}`,
		}));
	const found = await findOffered(written, offers);
	const overrides = found.flatMap(({ ref, path, tool }) =>
		tool ? under(path, unknownOverrides(ref, tool)) : [],
	);
	const unavailable = found.flatMap(({ path, offer, tool, isAsPinned }) => {
		if (offer.status !== "healthy")
			return [{ path: `${path}.server_id`, message: `The server is ${offer.status}` }];
		if (!tool) return [{ path: `${path}.tool_name`, message: "The server has no such tool now" }];
		return isAsPinned ? [] : [{ path: `${path}.observed_schema_hash`, message: NOT_PRESENT }];
	});
	return { problems: [...missing, ...overrides], unavailable };
}

/** The written attachments whose server is there, each with the tool that it offers now. */
async function findOffered(written: Checked<McpRef>[], offers: Map<string, McpOffer>) {
	const found = written.map(async ({ ref, path }) => {
		const offer = offers.get(ref.server_id);
		if (!offer) return [];
		const tool = offer.tools.get(ref.tool_name);
		const isAsPinned = tool !== undefined && (await matchesPin(tool, ref.observed_schema_hash));
		return [{ ref, path, offer, tool, isAsPinned }];
	});
	return (await Promise.all(found)).flat();
}

const NOT_PRESENT = "Not what the server offers now: take the tool's present schema_hash";

/** Tools of servers have no versions. */
const unknownOverrides = (ref: McpRef, { input_schema }: DiscoveredTool): FieldError[] =>
	unknownArguments(
		ref.argument_overrides,
		input_schema,
		"argument_overrides",
		"The server's tool has no such argument",
	);

/** Whether an agent becomes active, or is made so. */
export const isActivated = (next: AgentState, before?: AgentState): boolean =>
	next.status === "active" && before?.status !== "active";

async function checkVaultNames(ctx: Ctx, config: AgentConfig): Promise<FieldError[]> {
	const references = referencesOf({ type: "agent", config });
	const existing = await findVaultNames(ctx, references);
	return references
		.filter(({ name }) => !existing.has(name))
		.map(({ name, location }) => ({ path: location, message: `Vault entry not found: ${name}` }));
}

const under = (base: string, problems: FieldError[]): FieldError[] =>
	problems.map(({ path, message }) => ({ path: `${base}.${path}`, message }));
