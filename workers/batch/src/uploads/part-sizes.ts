/** How a file is cut for its upload: all parts are of one size but the last, as R2 wants them. */
export type Cut = { sizeBytes: number; partSize: number };

export const partCount = ({ sizeBytes, partSize }: Cut): number => Math.ceil(sizeBytes / partSize);

/** @param part from 1. */
export const sizeOfPart = (cut: Cut, part: number): number =>
	part < partCount(cut) ? cut.partSize : cut.sizeBytes - (partCount(cut) - 1) * cut.partSize;
