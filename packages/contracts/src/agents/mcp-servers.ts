import { z } from "zod";
import { arrayQuery, nameFilter, pageOf, pageQuery, Timestamp, Uuid } from "../shared/common.ts";
import { HeaderName, OutgoingHeaders } from "../shared/outgoing-headers.ts";
import { VaultName } from "./secrets.ts";

export const McpTransport = z.enum(["streamable_http", "sse"]).meta({ id: "McpTransport" });
export type McpTransport = z.infer<typeof McpTransport>;

/** Headers that the protocol itself sends, beside those that belong to the connection. */
const isProtocolHeader = (name: string): boolean => /^mcp-/i.test(name);
const OwnHeaderName = HeaderName.refine((name) => !isProtocolHeader(name), "The protocol sets this header");

export const McpAuth = z
	.discriminatedUnion("type", [
		z.strictObject({ type: z.literal("none") }),
		z.strictObject({ type: z.literal("bearer"), secret_name: VaultName }),
		z.strictObject({ type: z.literal("header"), header_name: OwnHeaderName, secret_name: VaultName }),
	])
	.meta({ id: "McpAuth", description: "How a connection proves who opens it" });
export type McpAuth = z.infer<typeof McpAuth>;

const McpHeaders = OutgoingHeaders.superRefine((headers, ctx) => {
	for (const [index, { name }] of headers.entries())
		if (isProtocolHeader(name))
			ctx.addIssue({ code: "custom", path: [index, "name"], message: "The protocol sets this header" });
});
export type McpHeaders = z.infer<typeof McpHeaders>;

const Name = z
	.string()
	.min(1)
	.max(128)
	.meta({ description: "Unique among the organisation's live servers", example: "crm" });
const Description = z.string().max(2000);
const UrlTemplate = z.string().min(1).max(2048).meta({
	description:
		"An https address. {{$NAME}} may be its beginning, part of its host, path segments and query values; it is kept as written and resolved at connection time.",
	example: "https://{{$CRM_HOST}}/mcp",
});

export const CreateMcpServer = z
	.strictObject({
		name: Name,
		description: Description.default(""),
		url_template: UrlTemplate,
		transport: McpTransport.default("streamable_http"),
		auth: McpAuth.default({ type: "none" }),
		headers: McpHeaders.default([]),
	})
	.meta({
		id: "CreateMcpServer",
		example: {
			...{ name: "crm", description: "Customers and orders", url_template: "https://{{$CRM_HOST}}/mcp" },
			auth: { type: "bearer", secret_name: "CRM_TOKEN" },
		},
	});
export type CreateMcpServer = z.infer<typeof CreateMcpServer>;

/** Fields left out stay as they are; `auth` and `headers` are replaced whole. */
export const UpdateMcpServer = z
	.strictObject({
		name: Name,
		description: Description,
		url_template: UrlTemplate,
		transport: McpTransport,
		auth: McpAuth,
		headers: McpHeaders,
	})
	.partial()
	.meta({ id: "UpdateMcpServer", example: { url_template: "https://{{$CRM_HOST}}/v2/mcp" } });
export type UpdateMcpServer = z.infer<typeof UpdateMcpServer>;

export const McpServerQuery = z.strictObject({ ...arrayQuery, ...nameFilter(128) });
export type McpServerQuery = z.infer<typeof McpServerQuery>;

export const CapabilityStatus = z
	.enum(["unknown", "healthy", "unavailable", "invalid", "circuit_open"])
	.meta({
		id: "CapabilityStatus",
		description:
			"unknown: not probed since the last change; healthy: reachable, tools listed; unavailable: not reached, failing or refusing the credentials; invalid: reached, but outside the protocol or its limits; circuit_open: not refreshed for a while after repeated failures; a connect still tries",
	});
export type CapabilityStatus = z.infer<typeof CapabilityStatus>;

const Schema = z.record(z.string(), z.unknown());
const ECHO_INPUT = {
	type: "object",
	properties: { message: { type: "string", description: "Message to echo" } },
	required: ["message"],
};
export const SchemaHash = z.string().regex(/^[0-9a-f]{64}$/, "Must be 64 lowercase hex characters");

/** Hints of the server about what a tool does. Members that a later version of the protocol adds are kept. */
export const ToolAnnotations = z
	.looseObject({
		title: z.string(),
		readOnlyHint: z.boolean(),
		destructiveHint: z.boolean(),
		idempotentHint: z.boolean(),
		openWorldHint: z.boolean(),
	})
	.partial()
	.meta({ id: "ToolAnnotations", description: "The server's own hints about what the tool does" });
export type ToolAnnotations = z.infer<typeof ToolAnnotations>;

export const DiscoveredTool = z
	.object({
		name: z.string().meta({ example: "echo" }),
		title: z.string().nullable().meta({ description: "Name for people", example: "Echo Tool" }),
		description: z.string().meta({ example: "Echoes back the input string" }),
		annotations: ToolAnnotations.nullable().meta({ example: { readOnlyHint: true } }),
		input_schema: Schema.meta({ example: ECHO_INPUT }),
		output_schema: Schema.nullable().meta({ example: null }),
		schema_hash: z.string().meta({
			description: "Hash over the name, title, description, annotations and both schemas",
			example: "dcb33214b4eb93964715395be369c986db0fcfc1556b103fb8789c80c5bd13e2",
		}),
	})
	.meta({ id: "DiscoveredTool" });
export type DiscoveredTool = z.infer<typeof DiscoveredTool>;

export const McpCapabilities = z
	.object({
		tools: z.array(DiscoveredTool),
		truncated: z.boolean().meta({
			description: "The server has more than was taken: 64 pages, 1,024 tools, 2 MiB",
			example: false,
		}),
		pages_fetched: z.int().min(0),
	})
	.meta({ id: "McpCapabilities" });
export type McpCapabilities = z.infer<typeof McpCapabilities>;

export const ConnectErrorCode = z.enum([
	"dns_failed",
	"connect_failed",
	"tls_failed",
	"timeout",
	"http_error",
	"unauthorized",
	"protocol_error",
	"unsupported_contract",
	"missing_vault_entry",
	"blocked_address",
	"circuit_open",
]);
export type ConnectErrorCode = z.infer<typeof ConnectErrorCode>;

export const ConnectStage = z.enum(["resolve", "connect", "initialize", "list_tools"]);
export type ConnectStage = z.infer<typeof ConnectStage>;

export const ConnectError = z
	.object({
		code: ConnectErrorCode,
		message: z.string().meta({
			description: "The reason in plain words, and what to do about it",
			example: "The host name could not be resolved. Check the host name in url_template.",
		}),
		stage: ConnectStage,
		http_status: z.int().nullable(),
		retryable: z.boolean(),
	})
	.meta({ id: "ConnectError" });
export type ConnectError = z.infer<typeof ConnectError>;

const listed = {
	id: Uuid,
	name: z.string().meta({ example: "crm" }),
	url_template: z.string().meta({ example: "https://{{$CRM_HOST}}/mcp" }),
	transport: McpTransport,
	revision: z.int().min(1),
	capability_status: CapabilityStatus.meta({ example: "healthy" }),
	capability_observed_at: Timestamp.nullable().meta({ description: "When the tool list was last confirmed" }),
	capability_tool_count: z.int().min(0),
};

export const McpServerListItem = z.object(listed).meta({ id: "McpServerListItem" });
export type McpServerListItem = z.infer<typeof McpServerListItem>;

export const McpServer = z
	.object({
		...listed,
		organisation_id: Uuid,
		description: z.string().meta({ example: "Customers and orders" }),
		auth: McpAuth,
		headers: McpHeaders,
		capability_revision: z.int().min(0).meta({ description: "Counts the changes of the tool list" }),
		capabilities: McpCapabilities.meta({ description: "The last good tool list; a failed refresh keeps it" }),
		capability_attempted_at: Timestamp.nullable(),
		capability_error: ConnectError.nullable().meta({
			description: "Why the last attempt failed",
			example: null,
		}),
		next_refresh_at: Timestamp.nullable(),
		created_at: Timestamp,
		updated_at: Timestamp,
	})
	.meta({ id: "McpServer" });
export type McpServer = z.infer<typeof McpServer>;

export const ConnectEvent = z
	.object({
		direction: z.enum(["sent", "received"]),
		method: z.string().meta({ example: "tools/list" }),
		ts: Timestamp,
		summary: z.string().meta({ example: "HTTP 200 application/json after 41 ms" }),
	})
	.meta({ id: "ConnectEvent" });
export type ConnectEvent = z.infer<typeof ConnectEvent>;

const ToolNames = z.array(z.string()).meta({ example: ["echo"] });
const NoToolNames = z.array(z.string()).meta({ example: [] });
export const ToolChanges = z
	.object({ added: ToolNames, removed: NoToolNames, changed: NoToolNames })
	.meta({ id: "ToolChanges", description: "Names, against the tool list before" });
export type ToolChanges = z.infer<typeof ToolChanges>;

export const ConnectResult = z
	.object({
		status: z.enum(["connected", "failed"]),
		latency_ms: z.int().min(0).meta({ example: 332 }),
		server_info: z
			.object({ name: z.string(), version: z.string().nullable(), title: z.string().nullable() })
			.nullable()
			.meta({
				example: { name: "mcp-servers/everything", version: "2.0.0", title: "Everything Reference Server" },
			}),
		protocol_version: z.string().nullable().meta({ example: "2025-11-25" }),
		era: z.enum(["stateless", "session"]).nullable().meta({
			description: "stateless since protocol version 2026-07-28, with sessions before",
			example: "session",
		}),
		capabilities: McpCapabilities.meta({
			description: "What this connection listed, which is less than the whole where it failed midway",
		}),
		changes: ToolChanges,
		events: z.array(ConnectEvent),
		error: ConnectError.nullable().meta({ example: null }),
	})
	.meta({ id: "ConnectResult" });
export type ConnectResult = z.infer<typeof ConnectResult>;

export const JsonDifference = z
	.object({
		op: z.enum(["added", "removed", "changed"]).meta({ example: "changed" }),
		path: z.string().meta({
			description: "JSON Pointer (RFC 6901) into the tool",
			example: "/annotations/destructiveHint",
		}),
		from: z.unknown().meta({ description: "Value before; null when it was added", example: false }),
		to: z.unknown().meta({ description: "Value after; null when it was removed", example: true }),
		truncated: z.boolean().meta({
			description:
				"Whether a value was too large to keep: text over 1,000 characters is cut, other JSON is null",
			example: false,
		}),
	})
	.meta({ id: "JsonDifference" });
export type JsonDifference = z.infer<typeof JsonDifference>;

export const ToolDiff = z
	.object({
		name: z.string().meta({ example: "echo" }),
		differences: z.array(JsonDifference).meta({ description: "At most 100, in order of their paths" }),
		truncated: z.boolean().meta({ description: "Whether the tool has more differences", example: false }),
	})
	.meta({ id: "ToolDiff" });
export type ToolDiff = z.infer<typeof ToolDiff>;

export const CapabilityChange = z
	.object({
		capability_revision: z.int().min(1),
		observed_at: Timestamp,
		...ToolChanges.shape,
		diffs: z.array(ToolDiff).meta({
			description: "What changed in each of the tools in `changed`, against their definitions before",
		}),
	})
	.meta({ id: "CapabilityChange" });
export type CapabilityChange = z.infer<typeof CapabilityChange>;

export const CapabilityChangePage = pageOf(CapabilityChange).meta({ id: "CapabilityChangePage" });
export const CapabilityChangeQuery = z.strictObject(pageQuery(20, 100));
export type CapabilityChangeQuery = z.infer<typeof CapabilityChangeQuery>;
