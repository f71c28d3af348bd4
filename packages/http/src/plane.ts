import type { Actor } from "@parley/auth/actor";
import type { ApiError } from "@parley/contracts/api-error";
import type { ErrorCode, ErrorRule } from "@parley/contracts/error-codes";
import type { z } from "zod";
import type { RateSettings } from "./rate-limit/limits.ts";
import type { RateLimiter } from "./rate-limit/rate-limiter.ts";
import type { RouteSpec } from "./route.ts";

/** The settings and bindings that every worker with routes has. */
export type BaseEnv = RateSettings & {
	DB: D1Database;
	LIMITER: DurableObjectNamespace<RateLimiter>;
	LEGACY_KEYS_UNTIL: string;
};

/** What makes one plane's HTTP differ from another's: its closed code table, its error body, who may enter. */
export type Plane = {
	name: "agents" | "batch" | "platform";
	errors: Readonly<Record<string, ErrorRule>>;
	/** The code of a body, query or path that fails its schema. */
	invalidCode: Extract<ErrorCode, "VALIDATION_FAILED" | "INVALID_REQUEST">;
	/** The documented error body, and how a refusal becomes one. */
	errorBody: z.ZodType;
	render: (error: ApiError, rule: ErrorRule, requestId: string) => unknown;
	credential: (headers: Headers) => string | undefined;
	/** What a request without a key is told. */
	missingKey: string;
	/** Throws when this kind of key has no business on this plane. */
	admit: (actor: Actor, env: BaseEnv & Record<string, unknown>, spec: RouteSpec) => void;
	/** OpenAPI names of the accepted credentials. */
	securitySchemes: readonly ("bearer" | "x-api-key")[];
	maxBodyBytes: number;
};
