import { AwsClient } from "aws4fetch";
import type { Ctx } from "../context.ts";

export const URL_LIFETIME_SECONDS = 3600;

const clients = new WeakMap<Env, AwsClient>();

/** A URL that lets its bearer PUT or GET one object for an hour; a given content type is signed and must be sent. */
export async function presignedUrl(
	ctx: Pick<Ctx, "env" | "origin">,
	request: { method: "GET" } | { method: "PUT"; contentType: string },
	key: string,
): Promise<string> {
	const url = new URL(`${endpointOf(ctx)}/${ctx.env.R2_BUCKET}/${encodeKey(key)}`);
	url.searchParams.set("X-Amz-Expires", String(URL_LIFETIME_SECONDS));
	const headers: Record<string, string> =
		request.method === "PUT" ? { "content-type": request.contentType } : {};
	// Without allHeaders the content type would not be signed.
	const aws = { signQuery: true, allHeaders: true };
	const signed = await clientOf(ctx.env).sign(new Request(url, { method: request.method, headers }), { aws });
	return signed.url;
}

export const s3Uri = (env: Env, key: string): string => `s3://${env.R2_BUCKET}/${key}`;

const endpointOf = ({ env, origin }: Pick<Ctx, "env" | "origin">): string =>
	env.R2_S3_ENDPOINT === "local" ? `${origin}/cdn-cgi/local/r2/s3` : env.R2_S3_ENDPOINT;

/** `+` has to be escaped too: the signer reads a bare one as a space. */
const encodeKey = (key: string): string => key.split("/").map(encodeURIComponent).join("/");

/** One client an isolate: it keeps the day's derived signing key. */
function clientOf(env: Env): AwsClient {
	const known = clients.get(env);
	if (known) return known;
	const client = new AwsClient({
		accessKeyId: env.R2_ACCESS_KEY_ID,
		secretAccessKey: env.R2_SECRET_ACCESS_KEY,
		service: "s3",
		region: "auto",
	});
	clients.set(env, client);
	return client;
}
