import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { matchesNone } from "@parley/contracts/shared/etag";
import { jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { and, eq, isNull } from "drizzle-orm";
import { playableType } from "./audio.service.ts";
import { readAudioLink } from "./audio-link.ts";
import { byteRangeOf } from "./byte-range.ts";

/**
 * Answers the audio behind a link, whole or a range of it.
 * @throws ApiError FORBIDDEN for a link that was changed or has expired, RESOURCE_NOT_FOUND when the audio is gone.
 */
export async function playAudio(env: Env, request: Request, jobId: string, now: Date): Promise<Response> {
	const owner = await readAudioLink(env, new URL(request.url), jobId, now);
	if (!owner) throw new ApiError("FORBIDDEN", "The link is invalid or has expired. Request a new one.");
	const [row] = await openDatabase(env.DB)
		.select({ inputKey: jobs.inputKey, inputMetadata: jobs.inputMetadata })
		.from(jobs)
		.where(and(eq(jobs.organisationId, owner.organisationId), eq(jobs.jobId, jobId), isNull(jobs.deletedAt)));
	const object = row?.inputKey ? await env.MEDIA.head(row.inputKey) : null;
	if (!row || !object) throw gone(jobId);
	const headers = new Headers({
		"accept-ranges": "bytes",
		"cache-control": "private, max-age=3600",
		"content-disposition": "inline",
		"content-security-policy": "default-src 'none'; sandbox",
		"content-type": playableType(row),
		etag: object.httpEtag,
	});
	if (!matchesNone(request.headers.get("if-none-match") ?? undefined, object.httpEtag))
		return new Response(null, { status: 304, headers });
	const range = isSameObject(request, object)
		? byteRangeOf(request.headers.get("range"), object.size)
		: undefined;
	if (range === "unsatisfiable") {
		headers.set("content-range", `bytes */${object.size}`);
		return new Response(null, { status: 416, headers });
	}
	const { offset, length } = range ?? { offset: 0, length: object.size };
	headers.set("content-length", String(length));
	if (range) headers.set("content-range", `bytes ${offset}-${offset + length - 1}/${object.size}`);
	const status = range ? 206 : 200;
	if (request.method === "HEAD") return new Response(null, { status, headers });
	const part = await env.MEDIA.get(object.key, range ? { range } : {});
	if (!part) throw gone(jobId);
	return new Response(part.body, { status, headers });
}

/** A range that continues an earlier answer must be of the same object (RFC 9110, section 13.1.5). */
function isSameObject({ headers }: Request, { httpEtag }: R2Object): boolean {
	const tag = headers.get("if-range");
	return tag === null || tag === httpEtag;
}

const gone = (jobId: string): ApiError => notFound("Audio", jobId);
