import type { Ctx } from "../context.ts";
import { findKind, seesVault } from "../secrets/vault-entry.ts";
import type { Runnable } from "./runnable.ts";

/**
 * How a tool gets the entry of the vault that its code missed with a KeyError; undefined when it missed something else, and
 * for whoever may not see what the vault holds.
 */
export async function undeclaredEntry(
	ctx: Ctx,
	{ declaredSecrets }: Pick<Runnable, "declaredSecrets">,
	message: string,
): Promise<string | undefined> {
	const [, name] = /^KeyError: '([A-Z][A-Z0-9_]{0,63})'$/.exec(message) ?? [];
	if (!name || declaredSecrets.includes(name) || !seesVault(ctx)) return undefined;
	switch (await findKind(ctx, name)) {
		case "secret":
			return `The vault has a secret ${name}: a run gets it when declared_secrets names it`;
		case "variable":
			return `The vault has a variable ${name}: a run gets it as a default of an argument, {{$${name}}}`;
		default:
			return undefined;
	}
}
