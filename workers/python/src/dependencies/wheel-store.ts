import { sha256Hex } from "@parley/bytes/sha256";
import type { FrozenDependency } from "@parley/contracts/internal/python-rpc";
import type { Wheel } from "../sandbox.ts";
import { DependencyError } from "./dependency-error.ts";

const keyOf = ({ sha256, filename }: { sha256: string; filename: string }) => `wheels/${sha256}/${filename}`;

/** The stored bytes of a wheel; undefined when they are missing or no longer those that were frozen. */
export async function findWheel(
	bucket: R2Bucket,
	wheel: { sha256: string; filename: string },
): Promise<ArrayBuffer | undefined> {
	const object = await bucket.get(keyOf(wheel));
	const bytes = await object?.arrayBuffer();
	return bytes && (await sha256Hex(bytes)) === wheel.sha256 ? bytes : undefined;
}

/** Stores a wheel under its hash; the storage checks the hash once more. */
export async function storeWheel(
	bucket: R2Bucket,
	wheel: { sha256: string; filename: string },
	bytes: Uint8Array,
): Promise<void> {
	await bucket.put(keyOf(wheel), bytes, { sha256: wheel.sha256 });
}

/**
 * The wheels of a built tool, from storage alone.
 * @throws DependencyError WHEEL_MISSING
 */
export async function loadWheels(bucket: R2Bucket, frozen: FrozenDependency[]): Promise<Wheel[]> {
	return await Promise.all(
		frozen.map(async (dependency) => {
			const bytes = await findWheel(bucket, dependency);
			if (bytes) return { filename: dependency.filename, bytes };
			const message = `${dependency.filename} is not in storage: build the tool again`;
			throw new DependencyError("WHEEL_MISSING", message, `${dependency.name}==${dependency.version}`);
		}),
	);
}
