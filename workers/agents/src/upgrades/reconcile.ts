import type { ToolRef } from "@parley/contracts/agents/attachments";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import type { UpgradeIssue } from "@parley/contracts/agents/upgrades";
import { configOverrideProblems } from "../agents/attachments/override-rules.ts";
import { referencesOf } from "../secrets/references.ts";
import { diffSchemas, requiredOf, type SchemaDiff } from "./schema-diff.ts";

export type VersionContent = {
	versionNumber: number;
	snapshot: ToolSnapshot;
	declaredSecrets: readonly string[];
};

export type Reconciliation = { attachment: ToolRef; diff: SchemaDiff; issues: UpgradeIssue[] };

/**
 * Adapts an attachment to another published version of its tool. Values of renamed parameters move to the new name, and
 * everything else is kept.
 *
 * Reports these as issues: overrides that the target version does not accept, missing vault entries, and required parameters
 * that a `system` attachment newly leaves unset. An upgrade to the same version has no issues.
 * @param vaultNames existing vault entries among those that `vaultNamesOf` returns for the target
 */
export function reconcile(
	attachment: ToolRef,
	from: VersionContent,
	to: VersionContent,
	vaultNames: ReadonlySet<string>,
): Reconciliation {
	const diff = diffSchemas(from.snapshot.argument_schema, to.snapshot.argument_schema);
	const moved: ToolRef = {
		...attachment,
		version: to.versionNumber,
		argument_overrides: rename(attachment.argument_overrides, diff.renamed),
		system: attachment.system && {
			...attachment.system,
			arguments: rename(attachment.system.arguments, diff.renamed),
		},
	};
	// An upgrade to the same version cannot fail, even if vault entries are missing.
	if (from.versionNumber === to.versionNumber) return { attachment: moved, diff, issues: [] };
	const issues = [
		...overrideIssues(moved, diff),
		...unfilledIssues(
			moved,
			to,
			unfilledParameters(attachment, from).map((name) => diff.renamed[name] ?? name),
		),
		...vaultNamesOf(moved, to)
			.filter((name) => !vaultNames.has(name))
			.map((name) => issue("VAULT_ENTRY_MISSING", `Vault entry not found: ${name}`)),
		...configOverrideProblems(moved.config_overrides, to.snapshot).map(({ path, message }) =>
			issue("CONFIG_OVERRIDE_INVALID", `${path}: ${message}`),
		),
	];
	return { attachment: moved, diff, issues };
}

/** Returns the names of the vault entries that an attachment and its version need. */
export function vaultNamesOf(attachment: ToolRef, { snapshot, declaredSecrets }: VersionContent): string[] {
	const { config, argument_defaults } = snapshot;
	const references = [
		...referencesOf({ type: "agent", config: { tool_refs: [attachment] } }),
		...referencesOf({ type: "tool_version", config, argument_defaults, declared_secrets: declaredSecrets }),
	];
	return [...new Set(references.map(({ name }) => name))].sort();
}

const issue = (
	code: UpgradeIssue["code"],
	message: string,
	parameter: string | null = null,
): UpgradeIssue => ({
	code,
	message,
	parameter,
});

const rename = <T>(values: Record<string, T>, names: Record<string, string>): Record<string, T> =>
	Object.fromEntries(
		Object.entries(values).map(([name, value]) => [
			Object.hasOwn(names, name) ? (names[name] ?? name) : name,
			value,
		]),
	);

function overrideIssues({ argument_overrides, system }: ToolRef, diff: SchemaDiff): UpgradeIssue[] {
	const removed = new Set(diff.removed.map(({ name }) => name));
	const set = new Set([...Object.keys(argument_overrides), ...Object.keys(system?.arguments ?? {})]);
	return [...set].flatMap((name) => {
		if (removed.has(name))
			return [issue("OVERRIDE_OF_REMOVED_PARAMETER", `The target version has no parameter ${name}`, name)];
		const isRetyped = Object.hasOwn(diff.retyped, name) && diff.retyped[name]?.takesOtherValues;
		return isRetyped
			? [issue("OVERRIDE_OF_RETYPED_PARAMETER", `The target version accepts other values for ${name}`, name)]
			: [];
	});
}

/** Finds required parameters that a `system` attachment does not set. Ignores those that were already unset before. */
const unfilledIssues = (moved: ToolRef, to: VersionContent, unfilledBefore: string[]): UpgradeIssue[] =>
	unfilledParameters(moved, to)
		.filter((name) => !unfilledBefore.includes(name))
		.map((name) => issue("REQUIRED_PARAMETER_UNFILLED", `No value for the required parameter ${name}`, name));

function unfilledParameters({ system, argument_overrides }: ToolRef, { snapshot }: VersionContent): string[] {
	if (!system) return [];
	const filled = { ...snapshot.argument_defaults, ...argument_overrides, ...system.arguments };
	return requiredOf(snapshot.argument_schema).filter((name) => !Object.hasOwn(filled, name));
}
