import { canonicalJson } from "@parley/canonical/jcs";
import type { AgentConfig } from "@parley/contracts/agents";
import { ApiError, type FieldError } from "@parley/contracts/api-error";
import type { McpRef, ToolRef } from "@parley/contracts/attachments";
import type { Ctx } from "../context.ts";
import { findVaultNames, referencesOf } from "../secrets/references.ts";
import { attachmentProblems } from "./attachment-rules.ts";
import { findMcpCapability } from "./mcp-capability.ts";
import { overrideProblems, unknownArguments } from "./override-rules.ts";
import { findPinnedVersions, pinKey } from "./pinned-versions.ts";

type Checked<T> = { ref: T; path: string };

/**
 * Holds a configuration to what it refers to. An attachment that `before` already had is not looked at again: what it is
 * pinned to does not change, and a server that is down must not stop a change of the greeting.
 * @throws ApiError VALIDATION_FAILED with a field for each reference that leads nowhere; MCP_CAPABILITY_UNAVAILABLE when
 * nothing is wrong but an MCP server.
 */
export async function checkReferences(ctx: Ctx, config: AgentConfig, before?: AgentConfig): Promise<void> {
	const problems = attachmentProblems(config);
	if (problems.length > 0) throw invalid(problems);
	const mcp = await checkMcpRefs(ctx, changed(config, before, "mcp_refs"));
	const fields = [
		...(await checkToolRefs(ctx, changed(config, before, "tool_refs"))),
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

function changed<K extends "tool_refs" | "mcp_refs">(
	config: AgentConfig,
	before: AgentConfig | undefined,
	key: K,
): Checked<AgentConfig[K][number]>[] {
	const held = new Set(before?.[key].map((ref) => canonicalJson(ref)));
	return config[key]
		.map((ref, i) => ({ ref, path: `${key}.${i}` }))
		.filter(({ ref }) => !held.has(canonicalJson(ref)));
}

async function checkToolRefs(ctx: Ctx, checked: Checked<ToolRef>[]): Promise<FieldError[]> {
	const versions = await findPinnedVersions(
		ctx,
		checked.map(({ ref }) => ref),
	);
	return checked.flatMap(({ ref, path }) => {
		const version = versions.get(pinKey(ref));
		return version
			? under(path, overrideProblems(ref, version.snapshot))
			: [{ path: `${path}.version`, message: "No such published version of a tool" }];
	});
}

async function checkMcpRefs(ctx: Ctx, checked: Checked<McpRef>[]) {
	const problems: FieldError[] = [];
	const unavailable: FieldError[] = [];
	for (const { ref, path } of checked) {
		const capability = await findMcpCapability(ctx, ref.server_id, ref.tool_name);
		if (!capability) problems.push({ path: `${path}.server_id`, message: "No such MCP server" });
		else if (capability.status !== "healthy")
			unavailable.push({ path: `${path}.server_id`, message: `The server is ${capability.status}` });
		else if (capability.tool?.schema_hash !== ref.observed_schema_hash)
			unavailable.push({ path: `${path}.observed_schema_hash`, message: "Not what the server offers now" });
		else {
			const schema = capability.tool.input_schema;
			problems.push(...under(path, unknownArguments(ref.argument_overrides, schema, "argument_overrides")));
		}
	}
	return { problems, unavailable };
}

async function checkVaultNames(ctx: Ctx, config: AgentConfig): Promise<FieldError[]> {
	const references = referencesOf({ type: "agent", config });
	const existing = await findVaultNames(ctx, references);
	return references
		.filter(({ name }) => !existing.has(name))
		.map(({ name, location }) => ({ path: location, message: `No such vault entry: ${name}` }));
}

const under = (base: string, problems: FieldError[]): FieldError[] =>
	problems.map(({ path, message }) => ({ path: `${base}.${path}`, message }));
