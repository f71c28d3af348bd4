import type { IncomingMessage } from "node:http";
import type { EgressErrorCode } from "@parley/egress/egress-error";
import type { EgressPolicy } from "@parley/egress/guarded-fetch";
import { expect } from "vitest";

export const policy = (own: Partial<EgressPolicy> = {}): EgressPolicy => ({
	allowLoopback: true,
	timeoutMs: 5_000,
	maxResponseBytes: 1_000_000,
	...own,
});

export const fails = (work: Promise<unknown>, code: EgressErrorCode) =>
	expect(work).rejects.toThrow(expect.objectContaining({ name: "EgressError", code }));

export async function textOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}
