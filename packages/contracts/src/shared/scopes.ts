import { z } from "zod";

/** Every scope an API key can hold. */
export const SCOPES = [
	"tools:read",
	"tools:write",
	"tools:run",
	"tools:publish",
	"agents:read",
	"agents:write",
	"vault:read",
	"vault:write",
	"mcp:read",
	"mcp:write",
	"mcp:connect",
	"runtime:use",
	"batch:read",
	"batch:write",
	"speech:use",
	"keys:manage",
	"audit:read",
] as const;

export const Scope = z.enum(SCOPES).meta({ id: "Scope", description: "Permission of an API key" });
export type Scope = z.infer<typeof Scope>;

/** The only scope of an agent key and of a session token. */
export const AGENT_KEY_SCOPES = ["runtime:use"] as const satisfies readonly Scope[];

/** The scopes of a key that was made without a list. */
export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== "keys:manage");
