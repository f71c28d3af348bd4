import type { AgentListItem } from "@parley/contracts/agents/agents";
import type { CreateKey } from "@parley/contracts/platform/keys";
import type { Scope } from "@parley/contracts/shared/scopes";
import { ALL_SCOPES, BATCH_SCOPES, PRESETS, type Preset } from "./access.ts";
import { type Expiry, expiryTime } from "./expiry.ts";

export type Family = CreateKey["family"];

/** What has been filled in about a key. */
export type KeyDraft = {
	label: string;
	family: Family;
	preset: Preset;
	/** Scopes that were chosen one by one. */
	chosen: ReadonlySet<Scope>;
	/** Agent of an agent key; undefined for the first in the list. */
	agentId: string | undefined;
	/** Whether the key stays with the agent's present version. */
	isPinned: boolean;
	expiry: Expiry;
	/** Day of an expiry on a date. */
	date: string;
};

export const EMPTY_DRAFT: KeyDraft = {
	...{ label: "", family: "consumer", preset: "full", chosen: new Set() },
	...{ agentId: undefined, isPinned: false, expiry: "never", date: "" },
};

/** Lists the scopes that make sense for a family of keys and that the maker may choose among. */
export const offeredScopes = (family: Family): readonly Scope[] =>
	family === "batch" ? BATCH_SCOPES : ALL_SCOPES;

/** Lists the scopes that the key gets: those chosen, of those that its maker holds. */
export function grantedScopes({ family, preset, chosen }: KeyDraft, held: readonly Scope[]): Scope[] {
	const offered = offeredScopes(family);
	const wanted =
		preset === "custom" ? [...chosen] : preset === "full" && family === "batch" ? offered : PRESETS[preset];
	return wanted.filter((scope) => offered.includes(scope) && held.includes(scope));
}

type Agent = Pick<AgentListItem, "id" | "version_number">;

/** Turns what was filled in into a request. @returns undefined while something is missing */
export function toCreateKey(
	draft: KeyDraft,
	held: readonly Scope[],
	agent: Agent | undefined,
	now: Date,
): CreateKey | undefined {
	const label = draft.label.trim();
	const expiresAt = expiryTime(draft.expiry, draft.date, now);
	if (label === "" || expiresAt === undefined) return undefined;
	const shared = { label, family: draft.family, expires_at: expiresAt };
	if (draft.family === "agent")
		return (
			agent && {
				...shared,
				agent_id: agent.id,
				...(draft.isPinned && { agent_version: agent.version_number }),
			}
		);
	const scopes = grantedScopes(draft, held);
	return scopes.length > 0 ? { ...shared, scopes } : undefined;
}
