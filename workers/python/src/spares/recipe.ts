import { sha256Hex } from "@parley/bytes/sha256";
import type { FrozenDependency, RunCode } from "@parley/contracts/internal/python-rpc";

/** Contents of a spare interpreter. Spares of one recipe are interchangeable. */
export type Recipe = {
	source: string;
	frozenDeps: FrozenDependency[];
	/**
	 * Whether the tool is imported ahead of its call. A tool that declares secrets may read them while it is imported, and
	 * secrets are opened for a call only.
	 */
	importsAhead: boolean;
};

export const recipeOf = ({ code_src, frozen_deps, secrets }: RunCode): Recipe => ({
	source: code_src,
	frozenDeps: frozen_deps,
	importsAhead: Object.keys(secrets).length === 0,
});

export const keyOf = ({ source, frozenDeps, importsAhead }: Recipe): Promise<string> =>
	sha256Hex(
		JSON.stringify([source, frozenDeps.map(({ filename, sha256 }) => [filename, sha256]), importsAhead]),
	);
