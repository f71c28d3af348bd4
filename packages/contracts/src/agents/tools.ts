import { z } from "zod";
import { FrozenDependency } from "../internal/python-rpc.ts";
import { arrayQuery, nameFilter, pageQuery, Timestamp, Uuid } from "../shared/common.ts";
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
	.meta({
		id: "ToolName",
		description:
			"Name of the tool: 1 to 200 letters, digits, _ and -. Unique among the organisation's live tools.",
		example: "quote_parcel",
	});

const Description = z.string().max(2000).meta({
	description: "What the tool does, for the model. At most 2000 characters.",
	example: QUOTE_DESCRIPTION,
});

export const ArgumentDefaults = z
	.record(z.string().min(1).max(255), z.union([z.string().max(10_000), z.number(), z.boolean()]))
	.refine((defaults) => Object.keys(defaults).length <= 256, "More than 256 arguments")
	.meta({
		id: "ArgumentDefaults",
		description:
			"Values for arguments that a caller omits, by argument name: a literal or a vault reference {{$NAME}}. At most 256. Default {}.",
	});
export type ArgumentDefaults = z.infer<typeof ArgumentDefaults>;

const CodeSource = z.string().max(400_000).meta({
	description:
		'Python source, at most 400,000 characters. It runs in a sandbox without internet access. The guide "Write a code tool" shows how to write it. Default empty.',
});

const DeclaredSecrets = z
	.array(VaultName)
	.max(64)
	.refine((names) => new Set(names).size === names.length, "Names must not repeat")
	.meta({
		description: "Names of the vault secrets that the code may read, at most 64. Default [].",
		example: ["CRM_TOKEN"],
	});

/** An exact pin (PEP 508): `name==version` or `name[extra]==version`. */
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
	.refine((list) => new Set(list.map(packageName)).size === list.length, "Packages must not repeat")
	.meta({ description: "Python packages to install, each pinned as name==version. At most 64. Default []." });

/** Returns the canonical name of a package (PEP 503). */
export const packageName = (dependency: string): string =>
	(/^[A-Za-z0-9._-]+/.exec(dependency)?.[0] ?? "").toLowerCase().replaceAll(/[-_.]+/g, "-");

const common = {
	name: ToolName,
	description: Description.default(""),
	argument_defaults: ArgumentDefaults.default({}),
};

const configOf = <C extends z.ZodType>(config: C) =>
	config.meta({ description: "Configuration of the tool. Its `type` equals `tool_type`." });

/** Body for a type whose configuration may be omitted, because every member has a default. */
const variant = <T extends ToolType, C extends z.ZodObject>(type: T, config: C) =>
	z.strictObject({
		...common,
		tool_type: typeOf(type),
		config: configOf(config.prefault({ type } as z.input<C>)),
	});

const typeOf = <T extends ToolType>(type: T) =>
	z.literal(type).meta({ description: "Type of the tool, which does not change. Default code." });

export const CreateTool = z
	.discriminatedUnion("tool_type", [
		z.strictObject({
			...common,
			tool_type: typeOf("code").optional().default("code"),
			config: configOf(CodeConfig.prefault({ type: "code" })),
			code_src: CodeSource.default(""),
			declared_secrets: DeclaredSecrets.default([]),
			dependencies: Dependencies.default([]),
		}),
		z.strictObject({ ...common, tool_type: typeOf("api_request"), config: configOf(ApiRequestConfig) }),
		variant("end_call", EndCallConfig),
		variant("voicemail_detection", VoicemailDetectionConfig),
		variant("transfer_call", TransferCallConfig),
		variant("send_sms", SendSmsConfig),
		variant("current_datetime", CurrentDatetimeConfig),
		variant("user_phone_number", UserPhoneNumberConfig),
	])
	.meta({
		id: "CreateTool",
		example: {
			name: "quote_parcel",
			tool_type: "code",
			description: QUOTE_DESCRIPTION,
			code_src: QUOTE_SOURCE,
		},
	});
export type CreateTool = z.infer<typeof CreateTool>;

/** Omitted fields stay unchanged; `config` is replaced as a whole. Only `code` tools have the last three fields. */
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
	.object({
		passed: z.boolean().meta({ description: "Whether the tool passes the gate" }),
		detail: z.string().nullable().meta({ description: "Why the gate fails. Null if it passes." }),
	})
	.meta({ id: "Gate", example: { passed: true, detail: null } });
export type Gate = z.infer<typeof Gate>;

const ConfigValid = Gate.meta({
	description: "The tool can work as it is configured: addresses, placeholders, vault names and defaults",
});

const StaticGates = z
	.object({
		config_valid: ConfigValid,
		secrets_exist: Gate.meta({ description: "Every vault name that the tool uses exists" }),
		name_unique: Gate.meta({ description: "No other live tool of the organisation has the name" }),
		parse: Gate.optional().meta({
			description: "`code` only: the source compiles and has one function to call",
		}),
		schema: Gate.optional().meta({
			description: "`code` only: the argument schema was read from the source",
		}),
	})
	.meta({ id: "StaticGates" });
export type StaticGates = z.infer<typeof StaticGates>;

/** Gates that a tool must pass before it can be published. A gate that does not apply to the type is null. */
export const GateStatus = z
	.object({
		static: StaticGates.nullable().meta({ description: "Gates that need no run" }),
		green_run: z
			.object({
				passed: z.boolean().meta({ description: "Whether a run has proved the current content" }),
				proven_hash: z.string().nullable().meta({
					description: "Content hash that the last successful run proved. Null if there was none.",
					example: QUOTE_HASH,
				}),
			})
			.nullable()
			.meta({ description: "A run of the current content has succeeded" }),
		config_valid: ConfigValid.nullable(),
		code_environment: Gate.nullable().meta({ description: "`code` only: the build succeeded" }),
		content_current: Gate.nullable().meta({ description: "`code` only: the build is of the current source" }),
	})
	.meta({
		id: "GateStatus",
		description: "Gates of the tool. Those that do not apply to its type are null.",
	});
export type GateStatus = z.infer<typeof GateStatus>;

export const RunStatus = z
	.enum(["succeeded", "failed", "timed_out"])
	.meta({ id: "RunStatus", description: "Outcome of the run" });
export type RunStatus = z.infer<typeof RunStatus>;

const ToolSource = z.enum(["curated", "org"]).meta({
	description: "curated: built in and read-only. org: created by the organisation.",
	example: "org",
});
const SchemaOrNull = z.record(z.string(), z.unknown()).nullable().meta({
	description: "JSON Schema of the arguments. Null for code that has not been built.",
	example: QUOTE_ARGUMENTS,
});
const ContentHash = z.string().meta({
	description: "SHA-256 of the content in lower-case hex. The name is not content.",
	example: QUOTE_HASH,
});
const StoredDescription = z
	.string()
	.meta({ description: "What the tool does, for the model", example: QUOTE_DESCRIPTION });
const LastRunStatus = RunStatus.nullable().meta({
	description: "Outcome of the last run of the draft. Null if it never ran.",
});
const LatestVersion = z
	.int()
	.min(1)
	.nullable()
	.meta({ description: "Number of the latest published version. Null if none is published." });
const VersionNumber = z.int().min(1).meta({ description: "Number of the version, from 1" });
const StoredSecrets = z
	.array(z.string())
	.meta({ description: "Names of the vault secrets that the code may read", example: [] });
const StoredDependencies = z
	.array(z.string())
	.meta({ description: "Python packages that the code needs, each pinned exactly", example: [] });
const StoredConfig = { type: "code", output_schema: null };

export const ToolBuild = z
	.object({
		state: z
			.enum(["not_built", "building", "built", "failed"])
			.meta({ description: "State of the build of the current source", example: "built" }),
		detail: z
			.string()
			.nullable()
			.meta({ description: "Why the build failed. Null otherwise.", example: null }),
		built_at: Timestamp.nullable().meta({ description: "Time of the last successful build" }),
	})
	.meta({ id: "ToolBuild", description: "Build of a code tool. Null for other types." });

export const Tool = z
	.object({
		id: Uuid,
		organisation_id: Uuid,
		name: ToolName,
		tool_type: ToolType,
		config: ToolConfig.nullable().meta({ example: StoredConfig }),
		description: StoredDescription,
		declared_secrets: StoredSecrets,
		dependencies: StoredDependencies,
		argument_defaults: ArgumentDefaults,
		code_src: z
			.string()
			.nullable()
			.meta({ description: "Python source. Null for types other than `code`.", example: QUOTE_SOURCE }),
		last_run_status: LastRunStatus,
		source: ToolSource,
		latest_version: LatestVersion,
		content_hash: ContentHash,
		is_current_hash_green: z.boolean().meta({ description: "Whether a run has proved the current content" }),
		is_current_version: z
			.boolean()
			.meta({ description: "Whether a published version has the current content" }),
		schema_stale: z.boolean().meta({
			description: "Whether the source has changed since `arg_schema` was read from it",
			example: false,
		}),
		arg_schema: SchemaOrNull,
		gate_status: GateStatus,
		build: ToolBuild.nullable(),
		revision: z.int().min(1).meta({ description: "Number of the tool's state. Each change adds one." }),
		created_at: Timestamp.meta({ description: "Time of creation" }),
		updated_at: Timestamp.meta({ description: "Time of the last change" }),
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
	.extend({ config_valid: z.boolean().meta({ description: "Whether the gate `config_valid` passes" }) })
	.meta({ id: "ToolListItem" });
export type ToolListItem = z.infer<typeof ToolListItem>;

export const ToolQuery = z.strictObject({ ...arrayQuery, ...nameFilter(MAX_NAME) });
export type ToolQuery = z.infer<typeof ToolQuery>;

/** Attachment of a tool to a live agent. */
export const ToolUsage = z
	.object({
		agent_id: Uuid,
		agent_name: z.string().meta({ description: "Name of the agent", example: "Front desk" }),
		agent_status: z.enum(["active", "inactive"]).meta({ description: "Status of the agent" }),
		attachment_id: Uuid,
		version_number: z
			.int()
			.min(1)
			.meta({ description: "Version of the tool that the attachment is pinned to" }),
	})
	.meta({ id: "ToolUsage" });
export type ToolUsage = z.infer<typeof ToolUsage>;

export const ToolVersionQuery = z.strictObject(arrayQuery);
export type ToolVersionQuery = z.infer<typeof ToolVersionQuery>;

/** Published version in a list, without its snapshot. */
export const ToolVersionItem = z
	.object({
		id: Uuid,
		tool_id: Uuid,
		version_number: VersionNumber,
		content_hash: ContentHash,
		frozen_deps: z
			.array(FrozenDependency)
			.meta({ description: "Packages that were installed for the version, with all that they depend on" }),
		published_at: Timestamp.meta({ description: "Time of publication" }),
	})
	.meta({ id: "ToolVersionItem" });
export type ToolVersionItem = z.infer<typeof ToolVersionItem>;

export const ToolSnapshot = z
	.object({
		name: ToolName,
		description: StoredDescription,
		tool_type: ToolType,
		argument_schema: z
			.record(z.string(), z.unknown())
			.meta({ description: "JSON Schema of the arguments", example: QUOTE_ARGUMENTS }),
		argument_defaults: ArgumentDefaults,
		config: ToolConfig,
	})
	.meta({ id: "ToolSnapshot", description: "The tool as it was when it was published" });
export type ToolSnapshot = z.infer<typeof ToolSnapshot>;

export const ToolVersion = ToolVersionItem.extend({
	snapshot_json: ToolSnapshot,
	code_src: z
		.string()
		.nullable()
		.meta({ description: "Python source. Null for types other than `code`.", example: QUOTE_SOURCE }),
	declared_secrets: StoredSecrets,
	dependencies: StoredDependencies,
}).meta({ id: "ToolVersion" });
export type ToolVersion = z.infer<typeof ToolVersion>;

export const PublishTool = z
	.strictObject({
		require_cases: z.boolean().default(false).meta({
			description:
				"Whether the tool must have test cases, all of which have passed on the current content, real or with mocks. Default false.",
		}),
	})
	.meta({ id: "PublishTool", example: { require_cases: false } });
export type PublishTool = z.infer<typeof PublishTool>;

/** Result of a publication; also the body of the 409 when a gate fails. */
export const PublishResult = z
	.object({
		published: z.boolean().meta({ description: "Whether the current content is published now" }),
		version_number: z
			.int()
			.min(1)
			.nullable()
			.meta({ description: "Number of the version with this content. Null if a gate fails." }),
		checks: z.record(z.string(), Gate).meta({
			description: "Gates that the type must pass, by name",
			example: { green_run: { passed: true, detail: null } },
		}),
	})
	.meta({ id: "PublishResult" });
export type PublishResult = z.infer<typeof PublishResult>;

export const RunPageQuery = z.strictObject(pageQuery());
export type RunPageQuery = z.infer<typeof RunPageQuery>;
