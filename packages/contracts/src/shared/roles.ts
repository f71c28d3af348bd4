import { z } from "zod";
import { SCOPES, type Scope } from "./scopes.ts";

/** Roles of people, the most powerful first. */
export const ROLES = ["owner", "admin", "developer", "viewer"] as const;

export const Role = z.enum(ROLES).meta({
	id: "Role",
	description:
		"`owner` may do everything. `admin` may do everything but change owners. `developer` works on tools, agents, MCP servers and recordings, without keys, people and vault values. `viewer` may only read.",
});
export type Role = z.infer<typeof Role>;

const VIEWER: readonly Scope[] = ["tools:read", "agents:read", "mcp:read", "batch:read", "audit:read"];
const WITHHELD: readonly Scope[] = ["keys:manage", "vault:read", "vault:write"];

/** Scopes that each role holds. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
	owner: SCOPES,
	admin: SCOPES,
	developer: SCOPES.filter((scope) => !WITHHELD.includes(scope)),
	viewer: VIEWER,
};

/** Scopes of an API key whose holder may become an organisation's first owner. */
export const FOUNDING_SCOPES: readonly Scope[] = [
	...(["tools:publish", "agents:write", "vault:read", "vault:write", "mcp:write"] as const),
	...(["batch:write", "speech:use", "keys:manage", "audit:read"] as const),
];
