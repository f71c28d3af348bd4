import type { StoredPart } from "@parley/contracts/batch/uploads";
import { EgressError } from "@parley/egress/egress-error";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { readCapped } from "@parley/egress/response-body";
import type { Ctx } from "../context.ts";
import { signedGet } from "./presigned-url.ts";
import type { MultipartRow } from "./upload-row.ts";

const TIMEOUT_MS = 10_000;
/** A page of a thousand parts is some 300 kB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/**
 * The parts that have arrived, from S3's ListParts, which the bucket's binding lacks; null where the endpoint does not tell,
 * as the local simulator.
 */
export async function listParts(ctx: Ctx, row: MultipartRow): Promise<StoredPart[] | null> {
	const parts: StoredPart[] = [];
	for (let marker = 0; ; ) {
		const page = await readPage(ctx, row, marker);
		if (page === undefined) return null;
		parts.push(...page.parts);
		if (page.next === undefined || page.next <= marker) return parts;
		marker = page.next;
	}
}

async function readPage(ctx: Ctx, { key, multipartId }: MultipartRow, marker: number) {
	const query = { uploadId: multipartId, "part-number-marker": String(marker) };
	const { url, headers } = await signedGet(ctx, key, query);
	try {
		const response = await guardedFetch(
			{ url, headers },
			{
				allowLoopback: ctx.env.R2_S3_ENDPOINT === "local",
				// The simulator's storage answers there.
				allowControlPaths: ctx.env.R2_S3_ENDPOINT === "local",
				timeoutMs: TIMEOUT_MS,
				maxResponseBytes: MAX_PAGE_BYTES,
				maxRedirects: 0,
			},
		);
		const text = new TextDecoder().decode(await readCapped(response, MAX_PAGE_BYTES));
		return response.ok ? parsePage(text) : undefined;
	} catch (error) {
		if (error instanceof EgressError) return undefined;
		throw error;
	}
}

/** S3's ListPartsResult; `next` is there when more parts follow. */
export function parsePage(xml: string): { parts: StoredPart[]; next: number | undefined } {
	const textOf = (source: string, name: string) =>
		new RegExp(`<${name}>([^<]*)</${name}>`).exec(source)?.[1] ?? "";
	const parts = [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
		part_number: Number(textOf(part, "PartNumber")),
		size_bytes: Number(textOf(part, "Size")),
		etag: textOf(part, "ETag").replaceAll(/&quot;|&#34;|"/g, ""),
	}));
	const next = Number(textOf(xml, "NextPartNumberMarker"));
	return { parts, next: textOf(xml, "IsTruncated") === "true" ? next : undefined };
}
