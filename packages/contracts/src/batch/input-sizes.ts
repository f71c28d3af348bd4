const MIB = 1024 ** 2;

/** The largest input, however it comes: 5 GiB. */
export const MAX_INPUT_BYTES = 5 * 1024 * MIB;
/** Maximum size of a single PUT, which is R2's limit: 5 MiB less than an input. Larger inputs need a multipart upload. */
export const MAX_PUT_BYTES = MAX_INPUT_BYTES - 5 * MIB;
/** Sizes of a part of a multipart upload. The minimum is R2's and S3's. */
export const PART_BYTES = { min: 5 * MIB, default: 16 * MIB, max: 1024 * MIB } as const;
