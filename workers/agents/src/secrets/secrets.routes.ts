import {
	CreateSecret,
	DescribeSecret,
	RotateSecret,
	SecretQuery,
	VaultEntry,
	VaultReference,
} from "@parley/contracts/agents/secrets";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { createSecret, deleteSecret, describeSecret, getSecret, listSecrets } from "./secrets.service.ts";
import { getReferences } from "./vault-usage.ts";

export const secretsRoutes = createAgentsRouter();

const tag = "Vault";
const READING =
	"Requires the scope vault:read or vault:write. Without vault:read, the values of variables are null.";
const params = z.object({
	name: z.string().min(1).max(64).meta({ description: "Name of the vault entry" }),
});

// Reading requires one of two scopes, which `access` cannot express. The services check it.
secretsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/secrets",
		operationId: "listSecrets",
		summary: "List vault entries",
		description: `Lists all variables and secrets, ordered by name. ${READING}`,
		tag,
		access: "any-key",
		query: SecretQuery,
		response: z.array(VaultEntry),
	},
	({ ctx, query }) => listSecrets(ctx, query),
);

secretsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/secrets",
		operationId: "createSecret",
		summary: "Create a vault entry",
		description:
			"Creates a variable, which can be read, or a secret, which is write-only. Tools, agents and MCP servers refer to it as " +
			"`{{$NAME}}`.",
		tag,
		access: "vault:write",
		body: CreateSecret,
		status: 201,
		location: "/v1/agents/secrets/{name}",
		response: VaultEntry,
		errors: ["SECRET_NAME_CONFLICT"],
		idempotent: true,
	},
	({ ctx, body }) => createSecret(ctx, body),
);

secretsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/secrets/{name}",
		operationId: "getSecret",
		summary: "Get a vault entry",
		description: READING,
		tag,
		access: "any-key",
		params,
		response: VaultEntry,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => getSecret(ctx, params.name),
);

secretsRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/secrets/{name}",
		operationId: "rotateSecret",
		summary: "Rotate a vault entry",
		description:
			"Replaces the value and adds one to `revision`. Active inbound agents that use the entry are locked for a moment: " +
			"changes to them are refused with AGENT_LOCKED.",
		tag,
		access: "vault:write",
		params,
		body: RotateSecret,
		response: VaultEntry,
		errors: ["RESOURCE_NOT_FOUND", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params, body }) => rotateSecret(ctx, params.name, body),
);

secretsRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/secrets/{name}/description",
		operationId: "describeSecret",
		summary: "Update a vault entry's description",
		description: "The value and `revision` stay unchanged.",
		tag,
		access: "vault:write",
		params,
		body: DescribeSecret,
		response: VaultEntry,
		errors: ["RESOURCE_NOT_FOUND", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params, body }) => describeSecret(ctx, params.name, body),
);

secretsRoutes.route(
	{
		method: "delete",
		path: "/v1/agents/secrets/{name}",
		operationId: "deleteSecret",
		summary: "Delete a vault entry",
		description:
			"Agents, tool drafts and MCP servers that use the entry block the deletion. Historical uses do not. An entry that the " +
			"service manages cannot be deleted.",
		tag,
		access: "vault:write",
		params,
		errors: ["RESOURCE_NOT_FOUND", "SECRET_IN_USE", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params }) => deleteSecret(ctx, params.name),
);

secretsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/secrets/{name}/references",
		operationId: "listSecretReferences",
		summary: "List a vault entry's uses",
		description:
			"Lists every resource that uses the entry, and whether the use blocks its deletion. Requires the scope vault:read or " +
			"vault:write.",
		tag,
		access: "any-key",
		params,
		response: z.array(VaultReference),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getReferences(ctx, params.name),
);
