import type { createTexts } from "./texts.ts";

export type Expiry = keyof typeof createTexts.expiries;

const DAY_MS = 86_400_000;
const SOON_MS = 14 * DAY_MS;

/** Returns the time at which a key stops working; null for never, undefined for a date that is missing or has passed. */
export function expiryTime(expiry: Expiry, date: string, now: Date): string | null | undefined {
	if (expiry === "never") return null;
	if (expiry !== "custom") return new Date(now.getTime() + Number(expiry) * DAY_MS).toISOString();
	// The key works until the chosen day ends for the user.
	const end = date ? new Date(`${date}T23:59:59`) : undefined;
	return end && end > now ? end.toISOString() : undefined;
}

/** Tells whether a key has expired, or will within two weeks. */
export function expiryState(expiresAt: string | null, now: number): "expired" | "soon" | "later" | "never" {
	if (expiresAt === null) return "never";
	const left = Date.parse(expiresAt) - now;
	if (left <= 0) return "expired";
	return left < SOON_MS ? "soon" : "later";
}
