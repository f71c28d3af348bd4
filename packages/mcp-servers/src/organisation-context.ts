import type { VerbContext } from "@parley/context/verb-context";

/** The part of a verb's context that reads rows of the actor's organisation. */
export type OrganisationContext = Pick<VerbContext<unknown>, "db" | "actor">;

/** The same, for verbs that also read tool lists out of the bucket. */
export type CatalogContext = Pick<VerbContext<{ MEDIA: R2Bucket }>, "db" | "env" | "actor">;
