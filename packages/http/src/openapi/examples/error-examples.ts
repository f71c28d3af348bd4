import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import type { ErrorCode } from "@parley/contracts/shared/error-codes";
import { ERROR_DESCRIPTIONS, type ErrorDescription } from "@parley/contracts/shared/error-descriptions";
import type { z } from "zod";
import type { Plane } from "../../planes/plane.ts";
import { validate } from "../../request/validation.ts";
import type { RouteSpec } from "../../route.ts";

export type Example = { summary: string; value: unknown };

const REQUEST_ID = "4f1c2a9e-6f0b-4b1d-9a52-0c6f6f0d9b7e";

/** Kinds of resources by the path parameter that names them, as `notFound` takes them. */
const KINDS: Record<string, string> = {
	agent_id: "Agent",
	attachment_id: "Attachment",
	call_id: "Call",
	delivery_id: "Delivery",
	job_id: "Job",
	key_id: "API key",
	model: "Model",
	model_code: "Model",
	name: "Vault entry",
	server_id: "MCP server",
	to_version: "Version",
	tool_id: "Tool",
	upload_id: "Upload",
	version_number: "Version",
};

/** Whether the example of a code differs between operations. */
export const isSpecific = (plane: Plane, code: ErrorCode): boolean =>
	["FORBIDDEN", "RESOURCE_NOT_FOUND", "MODEL_NOT_FOUND", plane.invalidCode].includes(code);

/**
 * Returns an answer that the operation gives for a code, rendered as the plane renders it. Invalid input is real: the
 * operation's own schema refuses a wrong body, query or path.
 * @param example the operation's documented body and path parameters
 */
export function errorExample(
	plane: Plane,
	spec: RouteSpec,
	code: ErrorCode,
	example: { body: unknown; params: Record<string, unknown> },
): Example {
	const { when }: ErrorDescription = ERROR_DESCRIPTIONS[code];
	const rule = plane.errors[code] ?? { status: 500, retryable: true };
	return {
		summary: when,
		value: plane.render(exampleError(plane, spec, code, example), rule, REQUEST_ID),
	};
}

function exampleError(
	plane: Plane,
	spec: RouteSpec,
	code: ErrorCode,
	{ body, params }: { body: unknown; params: Record<string, unknown> },
): ApiError {
	const { message, fields, blockers }: ErrorDescription = ERROR_DESCRIPTIONS[code];
	const described = new ApiError(code, message, { ...(fields && { fields }), ...(blockers && { blockers }) });
	switch (code) {
		case "FORBIDDEN":
			return new ApiError(code, `This API key lacks the scope ${spec.access}`);
		case "RESOURCE_NOT_FOUND":
		case "MODEL_NOT_FOUND": {
			const [name, id] = Object.entries(params).at(-1) ?? [];
			return name === undefined ? described : notFound(KINDS[name] ?? "Resource", String(id), code);
		}
		case plane.invalidCode:
			return invalidInput(plane, spec, body, params) ?? described;
		default:
			return described;
	}
}

/** Returns the first refusal of the operation's own schemas, tried on inputs that callers get wrong. */
function invalidInput(
	plane: Plane,
	spec: RouteSpec,
	body: unknown,
	params: Record<string, unknown>,
): ApiError | undefined {
	const bodies = Object.keys((body ?? {}) as object).map((key) => ({
		...(body as object),
		[key]: undefined,
	}));
	const [form] = Object.values(spec.raw?.content ?? {});
	const tries: [z.ZodType | undefined, "" | "query" | "path", unknown][] = [
		...bodies.map((wrong) => [spec.body, "", wrong] as [typeof spec.body, "", unknown]),
		[spec.body, "", { ...(body as object), colour: "red" }],
		[form?.schema, "", {}],
		[spec.query, "query", { limit: "1000" }],
		[spec.query, "query", { page_size: "1000" }],
		...Object.keys(params).map(
			(name) =>
				[spec.params, "path", { ...params, [name]: "none!" }] as [typeof spec.params, "path", unknown],
		),
		[spec.query, "query", { colour: "red" }],
	];
	for (const [schema, place, value] of tries) {
		const refusal = schema && refusalOf(() => validate(plane, schema, value, place));
		if (refusal) return refusal;
	}
	return undefined;
}

function refusalOf(run: () => unknown): ApiError | undefined {
	try {
		run();
		return undefined;
	} catch (error) {
		return error instanceof ApiError ? error : undefined;
	}
}
