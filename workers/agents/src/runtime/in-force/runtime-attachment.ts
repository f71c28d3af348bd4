import type { AgentConfig, AgentStatus } from "@parley/contracts/agents/agents";
import type { ConfigOverrides, TemplateValues, ToolRef } from "@parley/contracts/agents/attachments";
import type { CapabilityStatus, DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import type { Runnable } from "../../runs/runnable.ts";

/** An agent with the version that answers now: the session's, the one that the key is pinned to, or the current one. */
export type AgentInForce = {
	agentId: string;
	name: string;
	status: AgentStatus;
	/** Number of the version in force. */
	version: number;
	config: AgentConfig;
	/** Every attachment of the version, tools before MCP tools, in the agent's order. */
	attachments: RuntimeAttachment[];
	/** Why attachments cannot be called now. */
	warnings: RuntimeWarning[];
};

export type RuntimeWarning = {
	/** Name of the tool in the toolset. */
	tool: string;
	message: string;
};

type Common = {
	attachmentId: string;
	/** Name in the toolset: unique among the attachments of the version, and the same for the life of the version. */
	name: string;
	/** The attachment's addition to the tool's own description. */
	description: string;
	invocation: "model" | "system";
	/** Triggers and arguments of an attachment that the system invokes; null if the model does. */
	system: ToolRef["system"];
	preActionMessage: { text: string; wait: boolean } | null;
	/** Fixed arguments, hidden from the model: literals or templates. */
	argumentOverrides: TemplateValues;
};

/** A pinned version of one of Parley's tools. */
export type ToolAttachment = Common & {
	kind: "tool";
	toolId: string;
	version: number;
	/**
	 * The version with the attachment's overrides in its `config`; null if the tool was deleted. The recipient, text and sender
	 * of an SMS are only in `configOverrides`.
	 */
	runnable: Runnable | null;
	configOverrides: ConfigOverrides | null;
};

/** A pinned tool of an MCP server. */
export type McpAttachment = Common & {
	kind: "mcp";
	serverId: string;
	toolName: string;
	/** The tool as it was pinned; null if it has drifted or its server is gone. */
	tool: DiscoveredTool | null;
	/** Health of the server; null if it is gone. */
	serverStatus: CapabilityStatus | null;
};

export type RuntimeAttachment = ToolAttachment | McpAttachment;
