import { ApiFailure, ConnectionFailure } from "./failures.ts";

/** What went wrong, as far as it decides what somebody can do about it. */
export type FailureKind = "offline" | "forbidden" | "gone" | "conflict" | "busy" | "fault" | "other";

const KINDS: Record<number, FailureKind> = {
	403: "forbidden",
	404: "gone",
	410: "gone",
	412: "conflict",
	429: "busy",
};

export function kindOf(error: unknown): FailureKind {
	if (error instanceof ConnectionFailure) return "offline";
	if (!(error instanceof ApiFailure)) return "other";
	if (error.code === "REVISION_CONFLICT") return "conflict";
	return KINDS[error.status] ?? (error.status >= 500 ? "fault" : "other");
}
