import type { z } from "zod";
import type { Plane } from "../planes/plane.ts";
import { parseJson, readBody } from "./body.ts";
import { validate } from "./validation.ts";

/** Reads a request's body by the rules of its plane, for a route that takes it raw. */
export type BodyReader = {
	/** Returns the body. @throws ApiError BODY_TOO_LARGE */
	bytes: (maxBytes: number) => Promise<Uint8Array>;
	/** Returns the JSON value of a text. @throws ApiError the plane's code for invalid input */
	json: (text: Uint8Array) => unknown;
	/** Returns the value as its schema shapes it. @throws ApiError the plane's code for invalid input */
	validate: <T extends z.ZodType>(schema: T, value: unknown) => z.output<T>;
};

export const createBodyReader = (plane: Plane, request: Request): BodyReader => ({
	bytes: (maxBytes) => readBody(request, maxBytes),
	json: (text) => parseJson(text, plane),
	validate: (schema, value) => validate(plane, schema, value, ""),
});
