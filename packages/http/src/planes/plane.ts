import type { Authenticator } from "@parley/auth/authenticator";
import type { Actor } from "@parley/context/actor";
import type { ApiError } from "@parley/contracts/shared/api-error";
import type { ErrorCode, ErrorRule } from "@parley/contracts/shared/error-codes";
import type { z } from "zod";
import type { BaseEnv } from "../base-env.ts";
import type { Access } from "./access.ts";

/** Differences of a plane's HTTP: its closed table of codes, its error body, its authenticators. */
export type Plane = {
	/** Name in the log. */
	name: string;
	errors: Readonly<Record<string, ErrorRule>>;
	/** Code for a body, query or path that fails its schema. */
	invalidCode: Extract<ErrorCode, "VALIDATION_FAILED" | "INVALID_REQUEST">;
	/** Documented error body, and the function that fills it in. */
	errorBody: z.ZodType;
	/** Whether the error body holds the code, so that the reference names it. */
	showsCodes: boolean;
	render: (error: ApiError, rule: ErrorRule, requestId: string) => unknown;
	/** Accepted credentials. The first one that a request carries decides. */
	authenticators: readonly Authenticator[];
	/** Message for a request without a credential. */
	missingCredential: string;
	/** Throws when this kind of actor may not use the plane, or this operation of it. */
	admit: (actor: Actor, env: BaseEnv & Record<string, unknown>, access: Access) => void;
	maxBodyBytes: number;
};
