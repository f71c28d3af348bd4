import type { VaultKind, VaultReference } from "@parley/contracts/agents/secrets";
import { formatCount } from "../ui/format.ts";

export const texts = {
	title: "Vault",
	description: "Secrets and variables that tools, agents and MCP servers use by name.",
	add: "Add entry",
	list: "Vault entries",
	columns: { name: "Name", kind: "Kind", about: "Description", rotated: "Last rotated" },
	kinds: { secret: "Secret", variable: "Variable" } satisfies Record<VaultKind, string>,
	managed: "Managed",
	total: (count: number) => formatCount(count, "entry", "entries"),
	emptyTitle: "Keep your first secret",
	empty:
		"Put a token here once. Tools, agents and MCP servers use it by its name, and nobody can read it back.",
	notAllowedTitle: "Your access does not cover the vault",
	peek: {
		kind: "Kind",
		value: "Value",
		hidden: "Write-only. Nobody can read it.",
		noAccess: "Your access does not cover values.",
		about: "Description",
		noAbout: "None",
		created: "Created",
		rotated: "Last rotated",
		by: (who: string) => `by ${who}`,
		revision: "Rotations",
		uses: "Used by",
		noUses: "Nothing uses it.",
		rotate: "Rotate",
		delete: "Delete entry",
		managed: "Parley manages this entry. It cannot be deleted.",
		inUse: "It can be deleted once nothing uses it.",
	},
	resources: {
		agent: "Agent",
		tool: "Tool",
		mcp_server: "MCP server",
		agent_version: "Agent version",
		tool_version: "Tool version",
	} satisfies Record<VaultReference["resource_type"], string>,
	uses: { active: "In use", draft: "Draft", historical: "History" } satisfies Record<
		VaultReference["classification"],
		string
	>,
	delete: {
		title: (name: string) => `Delete ${name}?`,
		text: "The value is destroyed at once. This cannot be undone.",
		action: "Delete entry",
		done: (name: string) => `${name} is deleted`,
	},
};

export const formTexts = {
	addTitle: "Add vault entry",
	name: "Name",
	nameHint: "Capital letters, digits and underscores.",
	namePlaceholder: "CRM_TOKEN",
	kind: "Kind",
	kindHints: {
		secret: "Write-only. Nobody can read it back.",
		variable: "Can be read. For addresses and settings.",
	} satisfies Record<VaultKind, string>,
	value: "Value",
	newValue: "New value",
	show: "Show what I type",
	about: "Description",
	aboutHint: "What it is for. Optional.",
	add: "Add entry",
	cancel: "Cancel",
	added: (name: string) => `${name} is in the vault`,
	rotateTitle: (name: string) => `Rotate ${name}?`,
	rotateText: "The new value counts from the next run on. The old one is destroyed.",
	rotate: "Rotate",
	rotated: (name: string) => `${name} is rotated`,
	impact: "These use it now, and get the new value:",
	noImpact: "Nothing uses it now.",
	stale: "Somebody else has rotated it meanwhile. Rotate again if your value is still the right one.",
};
