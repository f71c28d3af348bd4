import type { z } from "zod";
import { describeParameters } from "./parameters.ts";

/** A request that the service sends to its customers. */
export type Webhook = {
	operationId: string;
	summary: string;
	description: string;
	tag: string;
	headers: z.ZodObject;
	body: z.ZodType;
};

/** Returns a webhook as OpenAPI describes it; its body's schema is added with those of the operations. */
export const toWebhookOperation = ({ operationId, summary, description, tag, headers }: Webhook) => ({
	operationId,
	summary,
	description,
	tags: [tag],
	security: [{}],
	parameters: describeParameters("header", headers),
	requestBody: { required: true, content: { "application/json": {} } },
	responses: {
		"2XX": { description: "The notification is delivered. The body is not read beyond its beginning." },
		"4XX": { description: "The attempt has failed and is repeated later." },
	},
});
