import {
	CreateSecret,
	DescribeSecret,
	RotateSecret,
	SecretQuery,
	VaultEntry,
	VaultReference,
} from "@parley/contracts/secrets";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { createSecret, deleteSecret, describeSecret, getSecret, listSecrets } from "./secrets.service.ts";
import { getReferences } from "./vault-usage.ts";

export const secretsRoutes = createAgentsRouter();

const tag = "Vault";
const READING = "Needs vault:read or vault:write; without vault:read the values of variables are null.";
const params = z.object({ name: z.string().min(1).max(64) });

// Reading takes `vault:read` or `vault:write`, which no single scope says: the services hold to it.
secretsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/secrets",
		operationId: "listSecrets",
		summary: "List vault entries, by name",
		description: READING,
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
		summary: "Create a variable or a secret",
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
		summary: "Give a vault entry another value",
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
		summary: "Change the description of a vault entry",
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
		summary: "Delete a vault entry that nothing live uses",
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
		summary: "List where a vault entry is used",
		description: "Needs vault:read or vault:write.",
		tag,
		access: "any-key",
		params,
		response: z.array(VaultReference),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getReferences(ctx, params.name),
);
