import type { HeldCredential } from "@parley/auth/credential-state";
import type { Region } from "@parley/contracts/platform/regions";

/** Settings of a stream, from the worker that authenticated the caller. */
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

/** Internal header with the stream's settings. No header of the caller reaches a session. */
export const START_HEADER = "x-parley-stream";
