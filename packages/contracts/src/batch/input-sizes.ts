const MIB = 1024 ** 2;

/** The largest input, however it comes: 5 GiB. */
export const MAX_INPUT_BYTES = 5 * 1024 * MIB;
/** What R2 takes in one PUT: 5 MiB less. What is larger goes up in parts. */
export const MAX_PUT_BYTES = MAX_INPUT_BYTES - 5 * MIB;
/** Of an upload in parts; the minimum is R2's and S3's. */
export const PART_BYTES = { min: 5 * MIB, default: 16 * MIB, max: 1024 * MIB } as const;
