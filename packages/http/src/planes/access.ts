import type { Scope } from "@parley/contracts/shared/scopes";

/** Who may call an operation: holders of a scope, any valid key, or everyone. A key that is sent must always be valid. */
export type Access = Scope | "any-key" | "open";
