import { ApiError } from "@parley/contracts/shared/api-error";

/** Returns the error for one field of the body. @param path dotted from the body root */
export function refuseField(path: string, message: string): ApiError {
	return new ApiError("INVALID_REQUEST", `${path}: ${message}`, { fields: [{ path, message }] });
}
