import type { ServiceType } from "@parley/contracts/platform/catalog";
import type { EngineStatus } from "@parley/contracts/platform/deployment";
import type { WorldPart } from "@parley/contracts/platform/regions";
import { formatNumber } from "../ui/format.ts";

export const texts = {
	title: "Settings",
	you: {
		title: "You",
		name: "Name",
		nameHint: "Colleagues see it beside what you do.",
		email: "E-mail address",
		emailOnce: "You can set it once. You then sign in with it.",
		role: "Role",
		save: "Save",
		saved: "Saved",
		key: "You are signed in with an API key, which has no name.",
		stale: "Your entry was changed elsewhere meanwhile. Save again to keep what you typed.",
	},
	organisation: {
		title: "Organisation",
		name: "Name",
		id: "ID",
		tier: "Tier",
		credit: "Credit",
		unlimited: "No limit",
		creditLeft: (length: string) => `${length} of audio left`,
		created: "Created",
		features: "Features",
		on: "On",
		off: "Off",
		featureNames: {
			code_tools: "Code tools",
			curated_types_creatable: "Curated tool types",
		} as Record<string, string>,
	},
	engines: {
		title: "Engines",
		description: "How their jobs of the last 24 hours ended. Broken recordings do not count as failures.",
		list: "Engines",
		columns: { model: "Model", status: "Status", type: "Type", done: "Done", failed: "Failed" },
		statuses: { ok: "Working", degraded: "Unsteady", failing: "Failing", unknown: "Not used" } as Record<
			EngineStatus,
			string
		>,
		types: {
			speech_to_text: "Transcription",
			text_to_speech: "Speech",
			audio_intelligence: "Extras",
		} as Record<ServiceType, string>,
		standard: "Default",
		none: "No engine is set up",
		noneText: "Set SPEECH_ENGINES, then start the deployment again.",
		guide: "Use another speech engine",
	},
	regions: {
		title: "Regions",
		home: "Home",
		current: "Answers you",
		parts: { na: "North America", eu: "Europe", ap: "Asia and the Pacific" } as Record<WorldPart, string>,
	},
	services: {
		title: "Services",
		description: "Checked just now.",
		names: {
			database: "Database",
			media: "Storage",
			limiter: "Rate limits",
			agents: "Agents",
			mcp: "MCP",
			batch: "Batch jobs",
		} as Record<string, string>,
		ok: "Working",
		bad: "Not reachable",
		ms: (ms: number) => `${formatNumber(ms)} ms`,
	},
	limits: {
		title: "Retention and limits",
		description: "They are settings of the deployment.",
		guide: "Settings reference",
		files: "Recordings and transcripts",
		filesText: (days: string) => `${days} after the job ended`,
		deadline: "Unfinished jobs",
		deadlineText: (hours: string) => `fail after ${hours}`,
		reads: "Reads",
		writes: "Writes",
		runs: "Tool runs",
		perMinute: (count: number) => `${formatNumber(count)} a minute for each key`,
		off: "No limit",
		input: "Largest recording",
		version: "Version",
	},
};
