import { z } from "zod";
import { arrayQuery, nameFilter, pageQuery, Timestamp, Uuid } from "./common.ts";
import { FrozenDependency } from "./python-rpc.ts";
import { VaultName } from "./secrets.ts";
import {
	ApiRequestConfig,
	CodeConfig,
	CurrentDatetimeConfig,
	EndCallConfig,
	SendSmsConfig,
	ToolConfig,
	ToolType,
	TransferCallConfig,
	UserPhoneNumberConfig,
	VoicemailDetectionConfig,
} from "./tool-config.ts";
import { QUOTE_ARGUMENTS, QUOTE_DESCRIPTION, QUOTE_HASH, QUOTE_SOURCE } from "./tool-examples.ts";

const MAX_NAME = 200;

export const ToolName = z
	.string()
	.min(1)
	.max(MAX_NAME)
	.regex(/^[A-Za-z0-9_-]+$/, "May hold letters, digits, _ and - only")
	.meta({ id: "ToolName", example: "quote_parcel" });

const Description = z.string().max(2000);

export const ArgumentDefaults = z
	.record(z.string().min(1).max(255), z.union([z.string().max(10_000), z.number(), z.boolean()]))
	.refine((defaults) => Object.keys(defaults).length <= 256, "More than 256 arguments")
	.meta({
		id: "ArgumentDefaults",
		description:
			"By argument name: a literal or a vault reference {{$NAME}}, used when the caller gives none",
	});
export type ArgumentDefaults = z.infer<typeof ArgumentDefaults>;

const CodeSource = z.string().max(400_000).meta({
	description:
		"Python; runs sandboxed, without internet access. How to write it: docs/how-to/write-a-code-tool.md",
});

const DeclaredSecrets = z
	.array(VaultName)
	.max(64)
	.refine((names) => new Set(names).size === names.length, "Names must not repeat");

/** `name==version` or `name[extra]==version`, as PEP 508 writes an exact pin. */
const Dependency = z
	.string()
	.max(255)
	.regex(
		/^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._-]+(,[A-Za-z0-9._-]+)*\])?==[A-Za-z0-9][A-Za-z0-9.!+_-]*$/,
		"Must be pinned exactly: name==version",
	)
	.meta({ example: "python-dateutil==2.9.0" });

const Dependencies = z
	.array(Dependency)
	.max(64)
	.refine((list) => new Set(list.map(packageName)).size === list.length, "Packages must not repeat");

/** A package's canonical name (PEP 503). */
export const packageName = (dependency: string): string =>
	(/^[A-Za-z0-9._-]+/.exec(dependency)?.[0] ?? "").toLowerCase().replaceAll(/[-_.]+/g, "-");

const common = {
	name: ToolName,
	description: Description.default(""),
	argument_defaults: ArgumentDefaults.default({}),
};

/** A type whose configuration may be left out: every member has a default. */
const variant = <T extends ToolType, C extends z.ZodObject>(type: T, config: C) =>
	z.strictObject({
		...common,
		tool_type: z.literal(type),
		config: config.prefault({ type } as z.input<C>),
	});

export const CreateTool = z
	.discriminatedUnion("tool_type", [
		z.strictObject({
			...common,
			tool_type: z.literal("code").optional().default("code"),
			config: CodeConfig.prefault({ type: "code" }),
			code_src: CodeSource.default(""),
			declared_secrets: DeclaredSecrets.default([]),
			dependencies: Dependencies.default([]),
		}),
		z.strictObject({ ...common, tool_type: z.literal("api_request"), config: ApiRequestConfig }),
		variant("end_call", EndCallConfig),
		variant("voicemail_detection", VoicemailDetectionConfig),
		variant("transfer_call", TransferCallConfig),
		variant("send_sms", SendSmsConfig),
		variant("current_datetime", CurrentDatetimeConfig),
		variant("user_phone_number", UserPhoneNumberConfig),
	])
	.meta({
		id: "CreateTool",
		example: { name: "quote_parcel", description: QUOTE_DESCRIPTION, code_src: QUOTE_SOURCE },
	});
export type CreateTool = z.infer<typeof CreateTool>;

/** Fields left out stay as they are; `config` is replaced whole. The last three are for `code` tools only. */
export const UpdateTool = z
	.strictObject({
		name: ToolName,
		description: Description,
		argument_defaults: ArgumentDefaults,
		config: ToolConfig,
		code_src: CodeSource,
		declared_secrets: DeclaredSecrets,
		dependencies: Dependencies,
	})
	.partial()
	.meta({ id: "UpdateTool", example: { description: "Quotes the price of a parcel, in euros." } });
export type UpdateTool = z.infer<typeof UpdateTool>;

export const DuplicateTool = z
	.strictObject({ name: ToolName.optional() })
	.meta({ id: "DuplicateTool", example: { name: "quote_parcel_2" } });
export type DuplicateTool = z.infer<typeof DuplicateTool>;

export const Gate = z
	.object({ passed: z.boolean(), detail: z.string().nullable() })
	.meta({ id: "Gate", example: { passed: true, detail: null } });
export type Gate = z.infer<typeof Gate>;

const StaticGates = z
	.object({
		config_valid: Gate,
		secrets_exist: Gate,
		name_unique: Gate,
		parse: Gate.optional().meta({
			description: "`code` only: the source compiles and has one function to call",
		}),
		schema: Gate.optional().meta({ description: "`code` only: the arguments could be read off the source" }),
	})
	.meta({ id: "StaticGates" });
export type StaticGates = z.infer<typeof StaticGates>;

/** What a tool has to pass before it can be published. A gate that does not apply to its type is null. */
export const GateStatus = z
	.object({
		static: StaticGates.nullable(),
		green_run: z
			.object({ passed: z.boolean(), proven_hash: z.string().nullable().meta({ example: QUOTE_HASH }) })
			.nullable(),
		config_valid: Gate.nullable(),
		code_environment: Gate.nullable(),
		content_current: Gate.nullable(),
	})
	.meta({ id: "GateStatus" });
export type GateStatus = z.infer<typeof GateStatus>;

export const RunStatus = z.enum(["succeeded", "failed", "timed_out"]).meta({ id: "RunStatus" });
export type RunStatus = z.infer<typeof RunStatus>;

const ToolSource = z.enum(["curated", "org"]).meta({ example: "org" });
const SchemaOrNull = z.record(z.string(), z.unknown()).nullable().meta({ example: QUOTE_ARGUMENTS });
const ContentHash = z.string().meta({ example: QUOTE_HASH });
const StoredDescription = z.string().meta({ example: QUOTE_DESCRIPTION });
const StoredConfig = { type: "code", output_schema: null };

export const ToolBuild = z
	.object({
		state: z.enum(["not_built", "building", "built", "failed"]).meta({ example: "built" }),
		detail: z.string().nullable().meta({ example: null }),
		built_at: Timestamp.nullable(),
	})
	.meta({ id: "ToolBuild" });

export const Tool = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		name: ToolName,
		tool_type: ToolType,
		config: ToolConfig.nullable().meta({ example: StoredConfig }),
		description: StoredDescription,
		declared_secrets: z.array(z.string()).meta({ example: [] }),
		dependencies: z.array(z.string()).meta({ example: [] }),
		argument_defaults: ArgumentDefaults,
		code_src: z.string().nullable().meta({ example: QUOTE_SOURCE }),
		last_run_status: RunStatus.nullable(),
		source: ToolSource,
		latest_version: z.int().min(1).nullable(),
		content_hash: ContentHash,
		is_current_hash_green: z.boolean().meta({ description: "A run proved the present content" }),
		is_current_version: z.boolean().meta({ description: "A published version holds the present content" }),
		schema_stale: z.boolean().meta({
			description: "The content changed after `arg_schema` was read off it",
			example: false,
		}),
		arg_schema: SchemaOrNull,
		gate_status: GateStatus,
		build: ToolBuild.nullable(),
		revision: z.int().min(1),
		created_at: Timestamp,
		updated_at: Timestamp,
	})
	.meta({ id: "Tool" });
export type Tool = z.infer<typeof Tool>;

export const ToolListItem = Tool.pick({
	id: true,
	name: true,
	tool_type: true,
	description: true,
	source: true,
	last_run_status: true,
	latest_version: true,
	arg_schema: true,
})
	.extend({ config_valid: z.boolean() })
	.meta({ id: "ToolListItem" });
export type ToolListItem = z.infer<typeof ToolListItem>;

export const ToolQuery = z.strictObject({ ...arrayQuery, ...nameFilter(MAX_NAME) });
export type ToolQuery = z.infer<typeof ToolQuery>;

/** One place where an agent holds a tool. */
export const ToolUsage = z
	.object({
		agent_id: Uuid,
		agent_name: z.string().meta({ example: "Front desk" }),
		agent_status: z.enum(["active", "inactive"]),
		attachment_id: Uuid,
		version_number: z.int().min(1),
	})
	.meta({ id: "ToolUsage" });
export type ToolUsage = z.infer<typeof ToolUsage>;

export const ToolVersionQuery = z.strictObject(arrayQuery);
export type ToolVersionQuery = z.infer<typeof ToolVersionQuery>;

/** A published version in a list: without its snapshot. */
export const ToolVersionItem = z
	.object({
		id: Uuid,
		tool_id: Uuid,
		version_number: z.int().min(1),
		content_hash: ContentHash,
		frozen_deps: z.array(FrozenDependency),
		published_at: Timestamp,
	})
	.meta({ id: "ToolVersionItem" });
export type ToolVersionItem = z.infer<typeof ToolVersionItem>;

export const ToolSnapshot = z
	.object({
		name: ToolName,
		description: StoredDescription,
		tool_type: ToolType,
		argument_schema: z.record(z.string(), z.unknown()).meta({ example: QUOTE_ARGUMENTS }),
		argument_defaults: ArgumentDefaults,
		config: ToolConfig,
	})
	.meta({ id: "ToolSnapshot" });
export type ToolSnapshot = z.infer<typeof ToolSnapshot>;

export const ToolVersion = ToolVersionItem.extend({
	snapshot_json: ToolSnapshot,
	code_src: z
		.string()
		.nullable()
		.meta({ description: "Null for other types than `code`", example: QUOTE_SOURCE }),
	declared_secrets: z.array(z.string()).meta({ example: [] }),
	dependencies: z.array(z.string()).meta({ example: [] }),
}).meta({ id: "ToolVersion" });
export type ToolVersion = z.infer<typeof ToolVersion>;

/** Also the body of the 409 when a gate fails; `checks` holds the gates that the type needs, by name. */
export const PublishResult = z
	.object({
		published: z.boolean(),
		version_number: z.int().min(1).nullable(),
		checks: z.record(z.string(), Gate).meta({ example: { green_run: { passed: true, detail: null } } }),
	})
	.meta({ id: "PublishResult" });
export type PublishResult = z.infer<typeof PublishResult>;

export const RunPageQuery = z.strictObject(pageQuery());
export type RunPageQuery = z.infer<typeof RunPageQuery>;
