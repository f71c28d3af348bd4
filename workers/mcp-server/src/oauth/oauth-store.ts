import { changedRows, type Database } from "@parley/db/client";
import { oauthClients, oauthRecords } from "@parley/db/platform/oauth";
import { and, asc, eq, gt, gte, isNull, lt, or, sql } from "drizzle-orm";
import { fromSubject } from "./subject.ts";

/** Most keys that one list returns, as Workers KV has it. */
const MAX_LISTED = 1_000;
/** Expired rows that one write deletes at most. */
const MAX_SWEPT = 50;

type PutOptions = { expirationTtl?: number; expiration?: number; metadata?: unknown };
type ListOptions = { prefix?: string; limit?: number; cursor?: string };
type Listed = {
	keys: { name: string; metadata: unknown }[];
	list_complete: boolean;
	cursor?: string;
};

/** The part of Workers KV that the OAuth library uses. */
export type OAuthStore = {
	get: (key: string, options?: { type?: "json" }) => Promise<unknown>;
	put: (key: string, value: string, options?: PutOptions) => Promise<void>;
	delete: (key: string) => Promise<void>;
	list: (options: ListOptions) => Promise<Listed>;
};

/** Another request changed the grant since this one read it. */
export class GrantChanged extends Error {
	override readonly name = "GrantChanged";
}

type Context = { db: Database; clock: () => Date };

/**
 * Creates the storage of the OAuth library for one request, in D1. A grant is written only if it is still as this request
 * read it, so that of two redemptions of one code one fails. A token without its grant does not exist.
 * @throws GrantChanged from `put`
 */
export function createOAuthStore({ db, clock }: Context): OAuthStore {
	const read = new Map<string, string>();
	const now = () => clock().toISOString();
	const find = async (key: string): Promise<string | undefined> => {
		const place = placeOf(key);
		if (!place) return undefined;
		if (place.kind === "client") {
			const isLive = or(isNull(oauthClients.expiresAt), gt(oauthClients.expiresAt, now()));
			const [row] = await db
				.select({ value: oauthClients.value })
				.from(oauthClients)
				.where(and(eq(oauthClients.id, place.id), isLive));
			return row?.value;
		}
		const [row] = await db
			.select({ value: oauthRecords.value })
			.from(oauthRecords)
			.where(
				and(
					isRecord(place, key),
					isLiveAt(now()),
					place.grantKey === undefined ? undefined : hasGrant(place, now()),
				),
			);
		return row?.value;
	};
	return {
		get: async (key, options) => {
			const value = await find(key);
			if (value === undefined) return null;
			read.set(key, value);
			return options?.type === "json" ? JSON.parse(value) : value;
		},
		put: async (key, value, options = {}) => {
			const place = placeOf(key);
			if (!place) throw new TypeError(`The OAuth library wrote an unknown key: ${key.split(":")[0]}`);
			const expiresAt = expiryOf(options, clock());
			if (place.kind === "client") {
				await writeClient(db, now(), { id: place.id, value, expiresAt });
				return;
			}
			const row = { organisationId: place.organisationId, key, value, expiresAt };
			const before = read.get(key);
			const isUpdate = before !== undefined && !place.grantKey;
			const written = isUpdate
				? await db
						.update(oauthRecords)
						.set({ value, expiresAt, metadata: options.metadata })
						.where(and(isRecord(place, key), eq(oauthRecords.value, before)))
						.run()
				: await insertRecord(db, now(), { ...row, metadata: options.metadata });
			if (changedRows(written) === 0) throw new GrantChanged("The grant was changed by another request.");
			read.set(key, value);
		},
		delete: async (key) => {
			const place = placeOf(key);
			if (place?.kind === "client") await db.delete(oauthClients).where(eq(oauthClients.id, place.id));
			if (place?.kind === "record") await db.delete(oauthRecords).where(isRecord(place, key));
		},
		list: async ({ prefix = "", limit = MAX_LISTED, cursor }) => {
			const place = placeOf(prefix);
			if (place?.kind !== "record") throw new TypeError("Only the records of one person are listed");
			const rows = await db
				.select({ name: oauthRecords.key, metadata: oauthRecords.metadata })
				.from(oauthRecords)
				.where(
					and(
						eq(oauthRecords.organisationId, place.organisationId),
						gte(oauthRecords.key, prefix),
						lt(oauthRecords.key, `${prefix}~`),
						cursor === undefined ? undefined : gt(oauthRecords.key, cursor),
						isLiveAt(now()),
					),
				)
				.orderBy(asc(oauthRecords.key))
				.limit(limit + 1);
			const keys = rows.slice(0, limit);
			const last = rows.length > limit ? keys.at(-1)?.name : undefined;
			return { keys, list_complete: last === undefined, ...(last !== undefined && { cursor: last }) };
		},
	};
}

type RecordPlace = {
	kind: "record";
	organisationId: string;
	/** Key of the grant that a token belongs to; undefined for a grant. */
	grantKey: string | undefined;
};
type Place = { kind: "client"; id: string } | RecordPlace;

/** Returns where the record of a key, or those of a prefix, are kept; undefined for a key that nobody can have written. */
function placeOf(key: string): Place | undefined {
	const [kind, subject = "", grant] = key.split(":");
	if (kind === "client") return { kind: "client", id: key.slice("client:".length) };
	const person = kind === "grant" || kind === "token" ? fromSubject(subject) : undefined;
	if (!person) return undefined;
	const grantKey = kind === "token" ? `grant:${subject}:${grant}` : undefined;
	return { kind: "record", organisationId: person.organisationId, grantKey };
}

const isRecord = ({ organisationId }: RecordPlace, key: string) =>
	and(eq(oauthRecords.organisationId, organisationId), eq(oauthRecords.key, key));

const isLiveAt = (now: string) => or(isNull(oauthRecords.expiresAt), gt(oauthRecords.expiresAt, now));

/** Whether a token's grant exists: the revocation of a grant ends tokens that are being made at the same time, too. */
const hasGrant = ({ organisationId, grantKey }: RecordPlace, now: string) =>
	sql`exists (select 1 from ${oauthRecords} as grant_record
		where grant_record.organisation_id = ${organisationId} and grant_record.key = ${grantKey}
		and (grant_record.expires_at is null or grant_record.expires_at > ${now}))`;

function expiryOf({ expirationTtl, expiration }: PutOptions, now: Date): string | null {
	if (expiration !== undefined) return new Date(expiration * 1000).toISOString();
	if (expirationTtl !== undefined) return new Date(now.getTime() + expirationTtl * 1000).toISOString();
	return null;
}

async function insertRecord(db: Database, now: string, row: typeof oauthRecords.$inferInsert) {
	const expired = sql`select rowid from ${oauthRecords} where ${oauthRecords.organisationId} = ${row.organisationId}
		and ${oauthRecords.expiresAt} < ${now} limit ${MAX_SWEPT}`;
	const [, written] = await db.batch([
		db
			.delete(oauthRecords)
			.where(and(eq(oauthRecords.organisationId, row.organisationId), sql`rowid in (${expired})`)),
		db.insert(oauthRecords).values(row).onConflictDoNothing(),
	]);
	return written;
}

async function writeClient(db: Database, now: string, row: typeof oauthClients.$inferInsert) {
	const expired = sql`select rowid from ${oauthClients} where ${oauthClients.expiresAt} < ${now} limit ${MAX_SWEPT}`;
	await db.batch([
		db.delete(oauthClients).where(sql`rowid in (${expired})`),
		db
			.insert(oauthClients)
			.values(row)
			.onConflictDoUpdate({
				target: oauthClients.id,
				set: { value: row.value, expiresAt: row.expiresAt ?? null },
			}),
	]);
}
