import { AwsClient } from "aws4fetch";
import type { Ctx } from "../context.ts";

export const URL_LIFETIME_SECONDS = 3600;

const clients = new WeakMap<Env, AwsClient>();

type Presigned = {
	method: "GET" | "PUT";
	/** Signed, so they must be sent. */
	headers?: Record<string, string>;
	query?: Record<string, string>;
};

/** A URL that lets its bearer PUT or GET one object, or a part of one, for an hour. */
export async function presignedUrl(
	ctx: Pick<Ctx, "env" | "origin">,
	{ method, headers = {}, query = {} }: Presigned,
	key: string,
): Promise<string> {
	const url = objectUrl(ctx, key, { ...query, "X-Amz-Expires": String(URL_LIFETIME_SECONDS) });
	// Without allHeaders neither content type nor length would be signed.
	const aws = { signQuery: true, allHeaders: true };
	return (await clientOf(ctx.env).sign(new Request(url, { method, headers }), { aws })).url;
}

/** A GET of this deployment's own, signed by its headers. */
export async function signedGet(
	ctx: Pick<Ctx, "env" | "origin">,
	key: string,
	query: Record<string, string>,
): Promise<Request> {
	return clientOf(ctx.env).sign(new Request(objectUrl(ctx, key, query)));
}

export const s3Uri = (env: Env, key: string): string => `s3://${env.R2_BUCKET}/${key}`;

const endpointOf = ({ env, origin }: Pick<Ctx, "env" | "origin">): string =>
	env.R2_S3_ENDPOINT === "local" ? `${origin}/cdn-cgi/local/r2/s3` : env.R2_S3_ENDPOINT;

function objectUrl(ctx: Pick<Ctx, "env" | "origin">, key: string, query: Record<string, string>): URL {
	const url = new URL(`${endpointOf(ctx)}/${ctx.env.R2_BUCKET}/${encodeKey(key)}`);
	for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
	return url;
}

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
