import { fromCanonicalBase64Url, toBase64Url } from "@parley/bytes/base64";
import type { Ctx } from "../context.ts";

/** Time for which a link works. */
const LIFETIME_MS = 3_600_000;

type Owner = { organisationId: string; jobId: string };

/** Path of the audio behind a link. */
export const AUDIO_LINK_PATH = "/v1/batch/jobs/:job_id/audio/content";

/** Returns a URL that lets its bearer play the audio of a job until a time. */
export async function createAudioLink(
	{ env, origin, clock }: Pick<Ctx, "env" | "origin" | "clock">,
	{ organisationId, jobId }: Owner,
): Promise<{ url: string; expiresAt: string }> {
	const expires = Math.floor((clock().getTime() + LIFETIME_MS) / 1000);
	const url = new URL(`${origin}${AUDIO_LINK_PATH.replace(":job_id", jobId)}`);
	url.searchParams.set("organisation", organisationId);
	url.searchParams.set("expires", String(expires));
	const signature = await crypto.subtle.sign(
		"HMAC",
		await keyOf(env),
		toSign(organisationId, jobId, expires),
	);
	url.searchParams.set("signature", toBase64Url(new Uint8Array(signature)));
	return { url: url.href, expiresAt: new Date(expires * 1000).toISOString() };
}

/** Returns the job that a link is for. Undefined when the link was changed or has expired. */
export async function readAudioLink(
	env: Env,
	url: URL,
	jobId: string,
	now: Date,
): Promise<Owner | undefined> {
	const organisationId = url.searchParams.get("organisation") ?? "";
	const expires = Number(url.searchParams.get("expires"));
	const signature = fromCanonicalBase64Url(url.searchParams.get("signature") ?? "");
	if (!signature || !Number.isSafeInteger(expires) || expires * 1000 <= now.getTime()) return undefined;
	const signed = toSign(organisationId, jobId, expires);
	const isValid = await crypto.subtle.verify("HMAC", await keyOf(env), signature, signed);
	return isValid ? { organisationId, jobId } : undefined;
}

const toSign = (organisationId: string, jobId: string, expires: number) =>
	new TextEncoder().encode([organisationId, jobId, expires].join("\n"));

/** The key is the one that signs the storage's links, bound to this purpose. */
const keyOf = (env: Env): Promise<CryptoKey> =>
	crypto.subtle.importKey(
		"raw",
		new TextEncoder().encode(`audio links\n${env.R2_SECRET_ACCESS_KEY}`),
		{ name: "HMAC", hash: "SHA-256" },
		false,
		["sign", "verify"],
	);
