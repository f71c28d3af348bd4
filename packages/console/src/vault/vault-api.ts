import type {
	CreateSecret,
	RotateSecret,
	VaultEntry,
	VaultReference,
} from "@parley/contracts/agents/secrets";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/client.ts";

export const vaultQuery = queryOptions({
	queryKey: ["vault"],
	queryFn: ({ signal }) => call<VaultEntry[]>("GET /v1/agents/secrets", { signal }),
});

export const referencesQuery = (name: string) =>
	queryOptions({
		queryKey: ["vault-references", name],
		queryFn: ({ signal }) =>
			call<VaultReference[]>("GET /v1/agents/secrets/{name}/references", { params: { name }, signal }),
	});

export const createEntry = (body: CreateSecret): Promise<VaultEntry> =>
	call("POST /v1/agents/secrets", { body, isSecret: true });

export const rotateEntry = (name: string, body: RotateSecret): Promise<VaultEntry> =>
	call("PATCH /v1/agents/secrets/{name}", { params: { name }, body, isSecret: true });

export const deleteEntry = (name: string): Promise<void> =>
	call("DELETE /v1/agents/secrets/{name}", { params: { name } });
