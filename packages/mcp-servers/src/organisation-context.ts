import type { VerbContext } from "@parley/context/verb-context";

/** Context for functions that read rows of the actor's organisation. */
export type OrganisationContext = Pick<VerbContext<unknown>, "db" | "actor">;

/** Context for functions that also read tool lists from the bucket. */
export type CatalogContext = Pick<VerbContext<{ MEDIA: R2Bucket }>, "db" | "env" | "actor">;
