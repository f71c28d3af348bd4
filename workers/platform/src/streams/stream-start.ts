import type { Region } from "@parley/contracts/platform/regions";

/** What a session is started with, by the worker that admitted the caller. */
export type StreamStart = {
	region: Region;
	model: string;
	language: string | undefined;
	partials: boolean;
	organisationId: string;
	keyId: string;
	requestId: string;
};

/** Carries the start inside; nothing that the caller sent reaches a session before its first frame. */
export const START_HEADER = "x-parley-stream";
