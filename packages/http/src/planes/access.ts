import type { Scope } from "@parley/contracts/shared/scopes";

/** Callers of an operation: holders of a scope, any valid key, or everyone. A key that is sent must be valid in each case. */
export type Access = Scope | "any-key" | "open";
