import type { HeldCredential } from "@parley/auth/credential-state";
import type { Region } from "@parley/contracts/platform/regions";

/** What a session is started with, by the worker that admitted the caller. */
export type StreamStart = {
	region: Region;
	model: string;
	language: string | undefined;
	partials: boolean;
	/** Checked again while the stream is open. */
	credential: HeldCredential;
	usageAccount: string;
	requestId: string;
};

/** Carries the start inside; nothing that the caller sent reaches a session before its first frame. */
export const START_HEADER = "x-parley-stream";
