import { uuidv7 } from "uuidv7";

/** A new row id: UUIDv7 in canonical text form, so ids sort by time of creation. */
export const newId = (): string => uuidv7();
