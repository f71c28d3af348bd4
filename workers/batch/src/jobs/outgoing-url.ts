import { allowsLoopback, checkUrl } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import type { Ctx } from "../context.ts";
import { refuseField } from "./job-request.ts";

/**
 * A URL of a submission as it will be requested.
 * @param field where it stands in the body.
 * @throws ApiError INVALID_REQUEST when requests to it may not leave.
 */
export function outgoingUrl({ env }: Ctx, field: string, input: string): string {
	try {
		return checkUrl(input, { allowLoopback: allowsLoopback(env.EGRESS_ALLOW_LOOPBACK) }).href;
	} catch (error) {
		if (error instanceof EgressError) throw refuseField(field, error.message);
		throw error;
	}
}
