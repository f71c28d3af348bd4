import { checkUrl } from "@parley/egress/address";
import { EgressError } from "@parley/egress/egress-error";
import { egressRules } from "@parley/egress/egress-rules";
import type { Ctx } from "./context.ts";
import { refuseField } from "./refusals.ts";

/**
 * A URL of a submission as it will be requested.
 * @param field where it stands in the body.
 * @throws ApiError INVALID_REQUEST when requests to it may not leave.
 */
export function outgoingUrl({ env }: Pick<Ctx, "env">, field: string, input: string): string {
	try {
		return checkUrl(input, egressRules(env)).href;
	} catch (error) {
		if (!(error instanceof EgressError)) throw error;
		const isNoHttps = error.code === "invalid_url" && URL.parse(input)?.protocol !== "https:";
		throw refuseField(field, isNoHttps ? "Must be an https:// URL" : error.message);
	}
}
