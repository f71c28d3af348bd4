import { authenticateSession } from "@parley/auth/authenticate-session";
import { organisations } from "@parley/db/platform/organisations";
import { asc } from "drizzle-orm";
import type { OpenCtx } from "../context.ts";
import { createFirstOwner, findFirstOwner } from "./first-owner.ts";
import { type Browser, openSession } from "./open-session.ts";

type Context = Pick<OpenCtx, "db" | "clock" | "requestId" | "defer">;

/**
 * Opens a session of the laptop's own organisation, the oldest one, for its owner.
 * @returns its token; undefined when the browser's session is still open
 */
export async function openLocalSession(ctx: Context, browser: Browser): Promise<string | undefined> {
	if (browser.token !== undefined) {
		const isOpen = await authenticateSession(ctx, browser.token).then(
			() => true,
			() => false,
		);
		if (isOpen) return undefined;
	}
	const [organisation] = await ctx.db
		.select({ id: organisations.id })
		.from(organisations)
		.orderBy(asc(organisations.createdAt), asc(organisations.id))
		.limit(1);
	if (!organisation) return undefined;
	const organisationId = organisation.id;
	const newcomer = { organisationId, apiKeyId: null, createdBy: "system:npm-start", now: ctx.clock() };
	await createFirstOwner(ctx.db, newcomer);
	const userId = (await findFirstOwner(ctx.db, organisationId)) ?? null;
	const arrival = { organisationId, userId, apiKeyId: null, door: "local" } as const;
	return (await openSession(ctx, arrival, browser)).token;
}
